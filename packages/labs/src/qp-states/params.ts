import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';

export const qpStatesParams = z.object({
  timeout: z.int().min(0).max(14).default(0).meta({
    title: 'Timeout (code)',
    description:
      'How long the requester waits for an ACK at least: 4.096 µs × 2^code. 0 means forever. The run drops one packet and watches.',
  }),
  minRnrTimer: z.int().min(0).max(31).default(0).meta({
    title: 'min_rnr_timer (code)',
    description:
      'How long the responder makes the requester wait when it has no RECV. The code is an index into a table: 1 is 0.01 ms, 12 is 0.64 ms, 31 is 491.52 ms, and 0 is the longest, 655.36 ms.',
  }),
  maxRdAtomic: z.int().min(0).max(1).default(0).meta({
    title: 'max_rd_atomic',
    description:
      'READs and atomics that the requester may have in flight. The run posts a READ with this value, then one with the other.',
  }),
  link: linkParam,
});

export type QpStatesParams = z.output<typeof qpStatesParams>;
