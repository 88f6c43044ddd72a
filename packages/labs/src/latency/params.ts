import { z } from 'zod';
import type { ParamRule } from '@verbslab/protocol';
import { linksParam } from '../load/links.js';
import { repetitions } from '../load/params.js';

export const latencyParams = z.object({
  size: z.int().min(8).max(32_768).default(64).meta({
    title: 'Message size',
    description: 'Bytes of each message, in both directions.',
    unit: 'B',
  }),
  wait: z.enum(['event', 'poll']).default('event').meta({
    title: 'How the ends wait',
    description:
      'event: the program sleeps in its system call or on its completion channel. poll: it asks again and again, and needs a core of its own at each end. WRITE always watches memory.',
  }),
  duration: z.int().min(50).max(5000).default(300).meta({
    title: 'Time per measurement',
    description: 'How long each way is measured in each round. A warm-up of 50 ms comes before it.',
    unit: 'ms',
  }),
  repeat: repetitions.default(5),
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
