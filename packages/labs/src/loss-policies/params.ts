import { z } from 'zod';
import { seedParam, seedsParam } from '../fabric/params.js';

const KIB = 1024;

export const lossPoliciesParams = z.object({
  message: z
    .int()
    .min(64 * KIB)
    .max(4096 * KIB)
    .default(1024 * KIB)
    .meta({
      title: 'Message size',
      description: 'Go-back-0 sends the whole message again after a loss.',
      unit: 'B',
    }),
  window: z
    .int()
    .min(64 * KIB)
    .max(1024 * KIB)
    .default(320 * KIB)
    .meta({
      title: 'Window',
      description: 'Bytes in flight. The path holds about 160 KB.',
      unit: 'B',
    }),
  timeout: z.int().min(6).max(12).default(8).meta({
    title: 'timeout of the QP',
    description: 'The ACK timeout is 4.096 µs × 2^timeout.',
  }),
  seed: seedParam,
  seeds: seedsParam(3, 20),
});
export type LossPoliciesParams = z.output<typeof lossPoliciesParams>;
