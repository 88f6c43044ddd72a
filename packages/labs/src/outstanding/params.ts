import { z } from 'zod';
import type { ParamRule } from '@verbslab/protocol';
import { linkParam } from '../endpoints/link.js';
import { pointMs, repetitionsForFastest } from '../form/common-params.js';

export const outstandingParams = z.object({
  operation: z.enum(['write', 'read']).default('write').meta({
    title: 'Operation',
    description: 'initiator_depth also limits the READs in flight, but not the WRITEs.',
  }),
  size: z.int().min(64).max(65_536).default(4096).meta({
    title: 'Message size',
    description: 'Larger messages fill the path with fewer requests.',
    unit: 'B',
  }),
  largest: z.int().min(2).max(1024).default(256).meta({
    title: 'Most requests in flight',
    description: 'The sweep measures 1, 2, 4, … up to this number of outstanding requests (tx-depth).',
  }),
  delay: z.int().min(0).max(10_000).default(500).meta({
    title: 'Added delay',
    description:
      'The server’s device delays every packet that it sends by this time, as a large network would. This needs fault injection; without it, no delay is added.',
    unit: 'µs',
  }),
  initiatorDepth: z.int().min(1).max(16).default(16).meta({
    title: 'READs in flight (initiator_depth)',
    description: 'READs and atomics that the client’s QP may have in flight (max_rd_atomic).',
  }),
  duration: pointMs(40),
  repeat: repetitionsForFastest,
  link: linkParam,
});

export const OUTSTANDING_RULES: ParamRule[] = [
  {
    param: 'largest',
    bound: 'at-most',
    of: { device: 'maxQpWr' },
    why: 'A device limits the requests of a queue pair.',
  },
];

export type OutstandingParams = z.output<typeof outstandingParams>;
