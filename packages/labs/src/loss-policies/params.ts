import { z } from 'zod';
import { seedParam, seedsParam } from '../fabric/params.js';

const KIB = 1024;

export const lossPoliciesParams = z.object({
  message: z
    .int()
    .min(64 * KIB)
    .max(512 * KIB)
    .multipleOf(64 * KIB)
    .default(256 * KIB)
    .meta({
      title: 'Message size',
      description:
        'Go-back-0 sends the whole message again after a loss. The live device sends as many packets, of 1024 B.',
      unit: 'B',
    }),
  window: z
    .int()
    .min(64 * KIB)
    .max(2048 * KIB)
    .default(1024 * KIB)
    .meta({
      title: 'Window, simulated',
      description: 'Bytes in flight. The path holds about 400 KB.',
      unit: 'B',
    }),
  timeout: z.int().min(6).max(10).default(6).meta({
    title: 'timeout of the QP',
    description:
      'The ACK timeout is 4.096 µs × 2^timeout. The live path is 512 times slower, and its timeout 9 higher.',
  }),
  seed: seedParam,
  seeds: seedsParam(3, 20),
  live: z.number().min(0.5).max(30).default(3).meta({
    title: 'Live measurement',
    description: 'How long each loss is measured on the device, with all three recoveries at once.',
    unit: 's',
  }),
});
export type LossPoliciesParams = z.output<typeof lossPoliciesParams>;
