import { z } from 'zod';
import type { ParamRule } from '@verbslab/protocol';
import { linksParam } from '../load/links.js';
import { repetitions } from '../form/common-params.js';

export const latencyParams = z.object({
  size: z.int().min(8).max(32_768).default(64).meta({
    title: 'Message size',
    description: 'Bytes of each message, in both directions.',
    unit: 'B',
  }),
  wait: z.enum(['event', 'poll']).default('event').meta({
    title: 'How the ends wait',
    description:
      'event: the program sleeps in its system call or on its completion channel. poll: it checks again and again, and needs its own core at each end. WRITE always watches memory.',
  }),
  duration: z.int().min(50).max(5000).default(300).meta({
    title: 'Time per measurement',
    description: 'How long each transport is measured in each round, after a warm-up of 50 ms.',
    unit: 'ms',
  }),
  repeat: repetitions.default(6),
  links: linksParam,
});

export const LATENCY_RULES: ParamRule[] = [
  {
    param: 'size',
    bound: 'at-most',
    of: { device: 'maxMessageSize' },
    why: 'No message may be longer (max_msg_sz).',
  },
];

export type LatencyParams = z.output<typeof latencyParams>;
