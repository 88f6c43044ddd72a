import type { LabContext } from '@verbslab/protocol';
import { z } from 'zod';
import { seedParam } from '../fabric/params.js';
import { bufferParam } from '../fabric/switch-params.js';

export const microburstParams = z.object({
  hosts: z.int().min(4).max(32).default(16).meta({
    title: 'Hosts that answer',
    description: 'N. All send to one at the same moment, again and again. Fewer of them are simulated too.',
  }),
  bytes: z.int().min(8192).max(131_072).default(65_536).meta({
    title: 'Answer',
    description: 'Bytes that a host sends in a burst.',
    unit: 'B',
  }),
  period: z.int().min(500).max(5000).default(1000).meta({
    title: 'Period',
    description: 'Time from burst to burst.',
    unit: 'µs',
  }),
  bursts: z.int().min(10).max(60).default(20).meta({ title: 'Bursts', description: 'In a simulation.' }),
  small: bufferParam(1000).meta({
    title: 'Small buffer of the switch',
    description: 'The lab compares it with one that holds every burst.',
    unit: 'KB',
  }),
  seed: seedParam,
});

export type MicroburstParams = z.output<typeof microburstParams>;
export type Context = LabContext<MicroburstParams>;
