import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';
import { repetitions } from '../form/common-params.js';

export const whichVerbParams = z.object({
  message: z.int().min(9).max(1024).default(64).meta({
    title: 'Small message',
    description:
      'Bytes of requests, replies, results and messages of the stream. More than the 8 of an atomic.',
    unit: 'B',
  }),
  large: z
    .int()
    .min(4096)
    .max(1024 * 1024)
    .default(64 * 1024)
    .meta({ title: 'Large transfer', description: 'Bytes of the two large transfers.', unit: 'B' }),
  burst: z.int().min(2).max(16).default(8).meta({
    title: 'Messages per credit',
    description:
      'The sender of the stream sends so many messages and then waits until the receiver has taken them.',
  }),
  others: z.int().min(1).max(5).default(1).meta({
    title: 'Other clients',
    description: 'Programs beside the first client that read the same value and add to the same counter.',
  }),
  rounds: z.int().min(5).max(500).default(200).meta({
    title: 'Rounds per measurement',
    description:
      'How often each job is done in each repetition. Ten more come before them, and their times are not counted.',
  }),
  wait: z
    .enum(['event', 'poll'])
    .default('event')
    .meta({
      title: 'The passive side waits for RECVs by',
      description:
        'A program that is sent a message can sleep until its RECV completes, or poll. For data that no completion announces it must poll. The initiator always polls.',
      choiceTitles: { event: 'Sleeping', poll: 'Polling' },
    }),
  repeat: repetitions,
  link: linkParam,
});

export type WhichVerbParams = z.output<typeof whichVerbParams>;
