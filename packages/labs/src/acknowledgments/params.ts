import type { ParamRule } from '@verbslab/protocol';
import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';
import { repetitions } from '../form/common-params.js';

export const acknowledgmentsParams = z.object({
  messages: z.int().min(32).max(256).default(64).meta({
    title: 'WRITEs',
    description: 'Sent at each number in flight.',
  }),
  size: z.int().min(1).max(8192).default(1024).meta({
    title: 'Message size',
    description: 'Of each WRITE. The path MTU is at most 1024 B, so a longer one has several packets.',
    unit: 'B',
  }),
  largest: z.int().min(2).max(256).default(64).meta({
    title: 'Most in flight',
    description:
      'The client posts 1, 2, 4, … WRITEs with one call, up to this number, and waits for the last.',
  }),
  repeat: repetitions,
  link: linkParam,
});

export const ACKNOWLEDGMENTS_RULES: ParamRule[] = [
  {
    param: 'largest',
    bound: 'at-most',
    of: { param: 'messages', times: 1 },
    why: 'No more WRITEs can be in flight than there are.',
  },
];

export type AcknowledgmentsParams = z.output<typeof acknowledgmentsParams>;
