import type { LabContext } from '@verbslab/protocol';
import { z } from 'zod';
import { seedParam, seedsParam } from '../fabric/params.js';
import { bufferParam } from '../fabric/switch-params.js';

export const pauseStormParams = z.object({
  slow: z.int().min(20).max(90).default(80).meta({
    title: 'Slow receiver',
    description: 'Rate at which its memory takes packets. Its link has 100 Gb/s.',
    unit: 'Gb/s',
  }),
  hysteresis: z.int().min(64).max(500).default(200).meta({
    title: 'Hysteresis',
    description: 'So far below the threshold of its PAUSE the NIC lets the switch go on.',
    unit: 'KB',
  }),
  hosts: z.int().min(2).max(6).default(4).meta({
    title: 'Hosts of a leaf',
    description: 'Three leaves, two spines. Each host sends to all others.',
  }),
  window: z.int().min(65_536).max(2_097_152).default(1_048_576).meta({
    title: 'Window',
    description: 'Bytes that each connection has in flight at most.',
    unit: 'B',
  }),
  buffer: bufferParam(2000),
  detect: z.int().min(1).max(5).default(1).meta({
    title: 'Watchdog',
    description:
      'Time for which a queue is paused until the switch gives it up. Switches take 100 to 400 ms.',
    unit: 'ms',
  }),
  seeds: seedsParam(2, 10),
  seed: seedParam,
});

export type PauseStormParams = z.output<typeof pauseStormParams>;
export type Context = LabContext<PauseStormParams>;
