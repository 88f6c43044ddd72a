import { z } from 'zod';
import { seedParam, seedsParam } from '../fabric/params.js';

export const topologyParams = z.object({
  servers: z.enum(['4', '6', '8']).default('8').meta({
    title: 'Servers',
    description: 'Each has as many NICs of 100 Gb/s as there are servers.',
  }),
  kibibytes: z.int().min(64).max(8192).default(2048).meta({
    title: 'Bytes per NIC',
    description: 'Each NIC sends so much to another. In the all-to-all it splits them over all others.',
    unit: 'KiB',
  }),
  seed: seedParam,
  seeds: seedsParam(3, 20),
});
export type TopologyParams = z.output<typeof topologyParams>;
