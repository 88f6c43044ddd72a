import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';

export const writeStagesParams = z.object({
  writes: z.int().min(20).max(2000).default(200).meta({
    title: 'WRITEs',
    description:
      'One after the other: each is posted when the one before has completed. p90 needs 100, p99 needs 1,000.',
  }),
  size: z
    .int()
    .min(1)
    .max(1024 * 1024)
    .default(4096)
    .meta({ title: 'Message size', description: 'Of each WRITE.', unit: 'B' }),
  inline: z.int().min(0).max(256).default(0).meta({
    title: 'Inline up to',
    description:
      'The post copies the payload of a WRITE of at most this size into the request (max_inline_data).',
    unit: 'B',
  }),
  wait: z.enum(['poll', 'event']).default('poll').meta({
    title: 'Wait by',
    description:
      'How the client waits for the completion: it polls the CQ without a pause (poll), or sleeps until the completion channel has an event (event).',
  }),
  link: linkParam,
});

export type WriteStagesParams = z.output<typeof writeStagesParams>;
