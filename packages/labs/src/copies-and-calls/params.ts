import { z } from 'zod';
import type { ParamRule } from '@verbslab/protocol';
import { linksParam } from '../load/links.js';
import { repetitions } from '../load/params.js';

export const copiesAndCallsParams = z.object({
  messages: z.int().min(100).max(20_000).default(2000).meta({
    title: 'Messages',
    description: 'In each measurement. Half of them go back, but WRITEs go one way.',
  }),
  size: z.int().min(8).max(4096).default(64).meta({
    title: 'Message size',
    description: 'Small, so that the cost of a message shows and not that of its bytes.',
    unit: 'B',
  }),
  large: z.int().min(8192).max(32_768).default(16_384).meta({
    title: 'Large message',
    description: 'Measured as well: what a message costs more is the cost of its bytes, copies among them.',
    unit: 'B',
  }),
  counted: z.int().min(20).max(2000).default(200).meta({
    title: 'Messages with system calls counted',
    description:
      'Counting slows a program down, so it happens in two short runs of their own: so many messages, then twice as many.',
  }),
  wait: z.enum(['event', 'poll']).default('event').meta({
    title: 'How the ends wait',
    description:
      'event: the program sleeps in its system call or on its completion channel. poll: it asks again and again.',
  }),
  repeat: repetitions.default(3),
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
