import type { LabContext } from '@verbslab/protocol';
import { z } from 'zod';
import { seedParam, seedsParam } from '../fabric/params.js';
import { bufferParam, DCQCN_TITLES, windowParam } from '../fabric/switch-params.js';

export const ecnOrPfcParams = z.object({
  hosts: z.int().min(4).max(16).default(8).meta({
    title: 'Hosts that send',
    description: 'N. Each has a port of the switch, and all send to one.',
  }),
  kmin: z.int().min(10).max(4000).default(400).meta({
    title: 'Kmin',
    description: 'Queue from which the switch marks some packets.',
    unit: 'KB',
  }),
  kmax: z.int().min(20).max(16_000).default(1600).meta({
    title: 'Kmax',
    description: 'Queue from which it marks all packets. Just below, it marks 20 %.',
    unit: 'KB',
  }),
  buffer: bufferParam(4000),
  window: windowParam,
  congestion: z.enum(['dcqcn-paper', 'dcqcn-nic', 'dcqcn-ns3']).default('dcqcn-paper').meta({
    title: 'Congestion control',
    description: 'Of the senders, where they heed marks.',
    choiceTitles: DCQCN_TITLES,
  }),
  seeds: seedsParam(2, 10),
  seed: seedParam,
});

export type EcnOrPfcParams = z.output<typeof ecnOrPfcParams>;
export type Context = LabContext<EcnOrPfcParams>;
