import { z } from 'zod';
import { seedParam } from '../fabric/params.js';

export const ackTimeoutParams = z.object({
  loss: z.number().min(0.05).max(1).default(0.4).meta({
    title: 'Loss',
    description: 'Of the packets of the flow in the first part.',
    unit: '%',
  }),
  senders: z.int().min(2).max(64).default(16).meta({
    title: 'Senders',
    description: 'Hosts that send to one in the second part. Nothing is lost there.',
  }),
  longest: z
    .enum(['10', '12', '14'])
    .default('14')
    .meta({
      title: 'Longest timeout',
      description: 'The lab tries values of the QP’s timeout up to this one.',
      choiceTitles: { 10: '10: 4.19 ms', 12: '12: 16.8 ms', 14: '14: 67.1 ms' },
    }),
  seed: seedParam,
});
export type AckTimeoutParams = z.output<typeof ackTimeoutParams>;
