import type { LabContext } from '@verbslab/protocol';
import { z } from 'zod';
import { seedParam, seedsParam } from '../fabric/params.js';
import { bufferParam, DCQCN_TITLES, windowParam } from '../fabric/switch-params.js';

export const fabricIncastParams = z.object({
  hosts: z.int().min(4).max(64).default(32).meta({
    title: 'Hosts that answer',
    description: 'N. All send to one other host, through one switch.',
  }),
  bytes: z
    .int()
    .min(262_144)
    .max(16_777_216)
    .default(8_388_608)
    .meta({ title: 'Answer', description: 'Bytes that each host sends.', unit: 'B' }),
  congestion: z
    .enum(['dcqcn-paper', 'dcqcn-nic', 'dcqcn-ns3', 'swift'])
    .default('dcqcn-paper')
    .meta({
      title: 'Congestion control',
      description:
        'What the senders do about congestion in half of the settings. DCQCN goes by ECN marks, Swift by delay.',
      choiceTitles: { ...DCQCN_TITLES, swift: 'Swift' },
    }),
  buffer: bufferParam(4000),
  window: windowParam,
  kmin: z.int().min(5).max(10_000).default(100).meta({
    title: 'Kmin',
    description: 'Queue from which the switch marks packets. It marks all from four times as much.',
    unit: 'KB',
  }),
  seeds: seedsParam(3, 10),
  seed: seedParam,
});

export type FabricIncastParams = z.output<typeof fabricIncastParams>;
export type Context = LabContext<FabricIncastParams>;
