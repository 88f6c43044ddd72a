import type { LabContext } from '@verbslab/protocol';
import { z } from 'zod';
import { seedParam, seedsParam } from '../fabric/params.js';
import { bufferParam, DCQCN_TITLES } from '../fabric/switch-params.js';

export const pfcVictimParams = z.object({
  most: z.int().min(2).max(8).default(4).meta({
    title: 'Most flows',
    description: 'k, flows that share a port or an uplink. Fewer are simulated too.',
  }),
  buffer: bufferParam(2000),
  window: z.int().min(262_144).max(4_194_304).default(1_048_576).meta({
    title: 'Window',
    description: 'Bytes that each connection has in flight at most. Small ones do not fill the buffer.',
    unit: 'B',
  }),
  congestion: z
    .enum(['dcqcn-paper', 'dcqcn-nic', 'dcqcn-ns3', 'swift'])
    .default('dcqcn-paper')
    .meta({
      title: 'Congestion control',
      description: 'Of the senders, in the settings with control.',
      choiceTitles: { ...DCQCN_TITLES, swift: 'Swift' },
    }),
  duration: z.int().min(20).max(200).default(50).meta({
    title: 'Duration',
    description:
      'Virtual time with congestion control, and four times as long as without. Rates are those of the second half.',
    unit: 'ms',
  }),
  seeds: seedsParam(2, 10),
  seed: seedParam,
});

export type PfcVictimParams = z.output<typeof pfcVictimParams>;
export type Context = LabContext<PfcVictimParams>;
