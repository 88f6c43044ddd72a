import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';

export const hwCountersParams = z.object({
  writes: z.int().min(1).max(64).default(10).meta({
    title: 'WRITEs without a fault',
    description: 'Each is one packet, and one is in flight at a time.',
  }),
  behind: z.int().min(1).max(15).default(3).meta({
    title: 'WRITEs behind the lost one',
    description: 'They arrive ahead of the expected PSN, and the responder drops them.',
  }),
  retries: z.int().min(0).max(6).default(2).meta({
    title: 'Retries',
    description: 'retry_cnt and rnr_retry of the client’s QP, where a request is given up.',
  }),
  link: linkParam,
});

export type HwCountersParams = z.output<typeof hwCountersParams>;
