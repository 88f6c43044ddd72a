import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';

export const connectionManagerParams = z.object({
  size: z
    .int()
    .min(1)
    .max(64 * 1024)
    .default(4096)
    .meta({ title: 'Message size', description: 'Bytes of each WRITE and of the READ.', unit: 'B' }),
  turns: z.int().min(1).max(64).default(16).meta({
    title: 'WRITEs',
    description: 'WRITEs per connection, one after another. The figures are their medians.',
  }),
  link: linkParam,
});

export type ConnectionManagerParams = z.output<typeof connectionManagerParams>;
