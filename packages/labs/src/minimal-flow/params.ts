import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';

export const minimalFlowParams = z.object({
  size: z
    .int()
    .min(1)
    .max(64 * 1024)
    .default(10_000)
    .meta({
      title: 'Message size',
      description:
        'A message of up to one path MTU fits in one packet (Only). Up to two MTUs take two packets, First and Last; longer messages add Middle packets.',
      unit: 'B',
    }),
  link: linkParam,
});

export type MinimalFlowParams = z.output<typeof minimalFlowParams>;
