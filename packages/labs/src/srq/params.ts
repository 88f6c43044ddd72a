import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';

export const srqParams = z.object({
  clients: z.int().min(2).max(8).default(4).meta({
    title: 'Clients',
    description: 'Each has its own QP to the server.',
  }),
  recvs: z.int().min(4).max(32).default(8).meta({
    title: 'RECVs in the pool',
    description: 'Buffers of the shared receive queue. The first part of the run uses all of them.',
  }),
  size: z.int().min(64).max(4096).default(1024).meta({
    title: 'Buffer size',
    description: 'Bytes of each buffer, and of each message.',
    unit: 'B',
  }),
  limit: z.int().min(1).max(3).default(3).meta({
    title: 'Low-water mark (srq_limit)',
    description: 'The server gets an event when fewer RECVs than this are left.',
  }),
  link: linkParam,
});

export type SrqParams = z.output<typeof srqParams>;
