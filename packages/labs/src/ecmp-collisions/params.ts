import { z } from 'zod';
import { seedParam, seedsParam } from '../fabric/params.js';

const MIB = 1024 * 1024;

export const ecmpParams = z.object({
  uplinks: z.int().min(2).max(16).default(8).meta({
    title: 'Uplinks of a leaf',
    description: 'As many hosts send to the other leaf, one connection each, all of 100 Gb/s.',
  }),
  qps: z.enum(['1', '2', '4', '8', '16']).default('16').meta({
    title: 'Most QPs per pair',
    description: 'The lab tries 1, 2, 4, … up to this number, and every second of them over two tiers.',
  }),
  bytes: z
    .int()
    .min(MIB)
    .max(16 * MIB)
    .default(2 * MIB)
    .meta({
      title: 'Bytes per pair',
      description: 'Each pair of hosts splits them evenly over its QPs.',
      unit: 'B',
    }),
  seed: seedParam,
  seeds: seedsParam(8, 40),
});
export type EcmpParams = z.output<typeof ecmpParams>;
