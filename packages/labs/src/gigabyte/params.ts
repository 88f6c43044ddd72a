import { z } from 'zod';
import type { ParamRule } from '@verbslab/protocol';
import { linksParam } from '../load/links.js';
import { repetitions } from '../form/common-params.js';

const MIB = 1024 * 1024;

export const gigabyteParams = z.object({
  megabytes: z.int().min(10).max(10_000).default(1000).meta({
    title: 'Volume',
    description: 'How much each transfer moves, in decimal megabytes: 1,000 MB are 1 GB. Figures are per GB.',
    unit: 'MB',
  }),
  size: z
    .int()
    .min(1024)
    .max(4 * MIB)
    .default(64 * 1024)
    .meta({
      title: 'Message size',
      description: 'Bytes in one work request, and in one TCP write.',
      unit: 'B',
    }),
  wait: z.enum(['event', 'poll']).default('event').meta({
    title: 'How the client waits',
    description:
      'event: the client sleeps on its completion channel. poll: it spins on the completion queue, which costs CPU time. To wait, TCP always sleeps in its system calls.',
  }),
  counted: z.int().min(16).max(1024).default(128).meta({
    title: 'Messages with system calls counted',
    description:
      'Counting slows a transfer down, so it happens in two separate short transfers: one with this many messages, one with twice as many.',
  }),
  repeat: repetitions,
  links: linksParam,
});

export const GIGABYTE_RULES: ParamRule[] = [
  {
    param: 'size',
    bound: 'at-most',
    of: { device: 'maxMessageSize' },
    why: 'No message may be longer (max_msg_sz).',
  },
];

export type GigabyteParams = z.output<typeof gigabyteParams>;
