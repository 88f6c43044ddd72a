import type { LabContext } from '@verbslab/protocol';
import { z } from 'zod';
import { seedParam, seedsParam } from '../fabric/params.js';

export const pfcHeadroomParams = z.object({
  rate: z.int().min(25).max(200).default(100).meta({
    title: 'Rate of the links',
    description: 'Also simulated: four times as much, at the length below.',
    unit: 'Gb/s',
  }),
  length: z.int().min(5).max(1000).default(100).meta({
    title: 'Length of the cables',
    description: 'For which the lab shows what is lost. Others are simulated too.',
    unit: 'm',
  }),
  reaction: z.int().min(0).max(10_000).default(2000).meta({
    title: 'Reaction to a PAUSE',
    description: 'From its arrival to the last packet that still leaves. Standards allow 2 µs at 100 Gb/s.',
    unit: 'ns',
  }),
  hosts: z
    .int()
    .min(2)
    .max(16)
    .default(8)
    .meta({ title: 'Hosts that send', description: 'To one other, so that their ports are paused.' }),
  seeds: seedsParam(2, 10),
  seed: seedParam,
});

export type PfcHeadroomParams = z.output<typeof pfcHeadroomParams>;
export type Context = LabContext<PfcHeadroomParams>;
