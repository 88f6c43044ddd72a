import { z } from 'zod';
import type { ParamRule } from '@verbslab/protocol';
import { linksParam } from '../load/links.js';
import { repetitions } from '../form/common-params.js';

export const copiesAndCallsParams = z.object({
  messages: z.int().min(100).max(20_000).default(2000).meta({
    title: 'Messages',
    description:
      'Messages in each measurement. Half of them are answers, but WRITEs go in one direction only.',
  }),
  size: z.int().min(8).max(4096).default(64).meta({
    title: 'Message size',
    description: 'A small size shows the cost of a message, not of its bytes.',
    unit: 'B',
  }),
  large: z.int().min(8192).max(32_768).default(16_384).meta({
    title: 'Large message',
    description:
      'A second size. What a large message costs more than a small one is the cost of its bytes, including the copies.',
    unit: 'B',
  }),
  counted: z.int().min(20).max(2000).default(200).meta({
    title: 'Messages with system calls counted',
    description:
      'Counting slows a program down, so it happens in two separate short runs: one with this many messages, one with twice as many.',
  }),
  wait: z.enum(['event', 'poll']).default('event').meta({
    title: 'How the ends wait',
    description:
      'event: the program sleeps in its system call or on its completion channel. poll: it checks again and again.',
  }),
  repeat: repetitions,
  links: linksParam,
});

export const COPIES_AND_CALLS_RULES: ParamRule[] = [
  {
    param: 'large',
    bound: 'at-most',
    of: { device: 'maxMessageSize' },
    why: 'No message may be longer (max_msg_sz).',
  },
];

export type CopiesAndCallsParams = z.output<typeof copiesAndCallsParams>;
