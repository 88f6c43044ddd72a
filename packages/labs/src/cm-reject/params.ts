import { z } from 'zod';

export const cmRejectParams = z.object({
  answerMs: z.int().min(0).max(1000).default(20).meta({
    title: 'Time to answer',
    description: 'How long the server’s program waits before it rejects a request.',
    unit: 'ms',
  }),
});

export type CmRejectParams = z.output<typeof cmRejectParams>;
