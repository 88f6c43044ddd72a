import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';

export const writeImmParams = z.object({
  immediate: z.int().min(0).max(0xffff_ffff).default(0x12345678).meta({
    title: 'Immediate',
    description: '32 bits that travel with the message. The default is 0x12345678.',
  }),
  size: z.int().min(1).max(256).default(64).meta({
    title: 'Message size',
    description: 'At most 256 B, so the message is one packet at every path MTU.',
    unit: 'B',
  }),
  rnrRetry: z.int().min(0).max(6).default(2).meta({
    title: 'rnr_retry',
    description:
      'How often the client retries when the server never posts a RECV. Where the RECV comes late, the run uses 7, which means forever.',
  }),
  link: linkParam,
});

export type WriteImmParams = z.output<typeof writeImmParams>;
