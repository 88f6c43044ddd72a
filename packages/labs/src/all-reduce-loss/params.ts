import { z } from 'zod';
import { seedParam, seedsParam } from '../fabric/params.js';

export const allReduceLossParams = z.object({
  hosts: z
    .enum(['8', '16', '32', '64', '128', '256', '512'])
    .default('64')
    .meta({ title: 'Most hosts', description: 'Rings grow from 8 hosts up to this number.' }),
  growth: z.enum(['2', '4']).default('2').meta({
    title: 'Growth',
    description: 'Each ring has so many times the hosts of the one before.',
  }),
  kibibytes: z.int().min(16).max(256).default(64).meta({
    title: 'Bytes of a step',
    description: 'What a host sends in each of the 2 (N − 1) steps.',
    unit: 'KiB',
  }),
  timeout: z.int().min(6).max(14).default(10).meta({
    title: 'timeout of the QPs',
    description: 'The ACK timeout is 4.096 µs × 2^timeout.',
  }),
  seed: seedParam,
  seeds: seedsParam(6, 20),
});
export type AllReduceLossParams = z.output<typeof allReduceLossParams>;
