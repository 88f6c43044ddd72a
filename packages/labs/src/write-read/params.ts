import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';

export const writeReadParams = z.object({
  size: z
    .int()
    .min(1)
    .max(64 * 1024)
    .default(4096)
    .meta({ title: 'Message size', description: 'Bytes of the WRITE and of the READ.', unit: 'B' }),
  mtu: z.enum(['256', '512', '1024', '2048', '4096']).default('1024').meta({
    title: 'Path MTU',
    description: 'Largest payload of one packet. A device with a smaller active MTU uses that instead.',
    unit: 'B',
  }),
  writes: z.int().min(4).max(64).default(16).meta({
    title: 'WRITEs in a row',
    description: 'Posted with one call, to the same 8 bytes of the server. A READ follows in the same call.',
  }),
  signalEvery: z.int().min(1).max(16).default(4).meta({
    title: 'Signal every',
    description:
      'With 4, every fourth of the WRITEs in a row asks for a completion. The last one always does.',
  }),
  link: linkParam,
});

export type WriteReadParams = z.output<typeof writeReadParams>;
