import type { ParamRule } from '@verbslab/protocol';
import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';
import { pointMs, repetitions } from '../form/common-params.js';
import { seedParam } from '../loss/faulty.js';

export const lossCostParams = z.object({
  small: z.int().min(64).max(16_384).default(4096).meta({
    title: 'Small message',
    description: 'The shorter one of the two message sizes.',
    unit: 'B',
  }),
  large: z.int().min(8192).max(65_536).default(32_768).meta({
    title: 'Large message',
    description: 'The longer one. A message longer than the path MTU has several packets.',
    unit: 'B',
  }),
  window: z.int().min(2).max(32).default(8).meta({
    title: 'Messages in flight',
    description: 'The larger one of the two windows. The other one is a single message.',
  }),
  highest: z.number().min(1).max(10).default(5).meta({
    title: 'Highest loss',
    description: 'The lab measures without loss, with 0.01, 0.1 and 1 %, and with this.',
    unit: '%',
  }),
  timeout: z.int().min(11).max(15).default(12).meta({
    title: 'timeout',
    description:
      'The attribute of the client’s QP. It waits 4.096 µs × 2^timeout for an ACK: 12 is 16.8 ms, so that a measurement holds several timeouts; 14 is usual. Short timeouts can end connections on a busy machine.',
  }),
  seed: seedParam,
  duration: pointMs(100),
  repeat: repetitions,
  link: linkParam,
});

export const LOSS_COST_RULES: ParamRule[] = [
  {
    param: 'small',
    bound: 'at-most',
    of: { param: 'large', times: 0.5 },
    why: 'The lab compares two sizes.',
  },
];

export type LossCostParams = z.output<typeof lossCostParams>;
