import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';

export const segmentationParams = z.object({
  size: z
    .int()
    .min(0)
    .max(64 * 1024)
    .default(4096)
    .meta({
      title: 'Message size',
      description: 'Sent by SEND, WRITE and READ. The lab adds messages of 1000 B, 0 B and path MTU + 1 B.',
      unit: 'B',
    }),
  mtu: z.enum(['256', '512', '1024', '2048', '4096']).default('1024').meta({
    title: 'Path MTU',
    description: 'Largest payload of one packet. A device with a smaller active MTU uses that instead.',
    unit: 'B',
  }),
  long: z
    .int()
    .min(1)
    .max(64 * 1024)
    .default(64 * 1024)
    .meta({
      title: 'Long message',
      description:
        'Sent at each path MTU that both devices support, to compare payload with bytes on the wire.',
      unit: 'B',
    }),
  link: linkParam,
});

export type SegmentationParams = z.output<typeof segmentationParams>;
