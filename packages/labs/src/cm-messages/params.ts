import { z } from 'zod';

export const cmMessagesParams = z.object({
  connections: z.int().min(1).max(64).default(16).meta({
    title: 'Connections',
    description: 'Connections per way, one after another. The times are their medians.',
  }),
  size: z
    .int()
    .min(1)
    .max(64 * 1024)
    .default(64)
    .meta({ title: 'Message size', description: 'Bytes of the WRITE on each connection.', unit: 'B' }),
});

export type CmMessagesParams = z.output<typeof cmMessagesParams>;
