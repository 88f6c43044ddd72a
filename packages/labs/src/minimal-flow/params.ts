import { z } from 'zod';

export const minimalFlowParams = z.object({
  size: z
    .int()
    .min(1)
    .max(64 * 1024)
    .default(10_000)
    .meta({
      title: 'Size',
      description:
        'Bytes that the WRITE carries and the READ fetches back. One path MTU at most makes an Only packet, more than two make First, Middle and Last.',
      unit: 'B',
    }),
});

export type MinimalFlowParams = z.output<typeof minimalFlowParams>;
