import type { LabContext } from '@verbslab/protocol';
import { z } from 'zod';
import { seedParam, seedsParam } from '../fabric/params.js';

/** They share one link between two switches. One after the other joins. */
export const FLOWS = 3;

export const dcqcnFairnessParams = z.object({
  join: z.int().min(5).max(50).default(20).meta({
    title: 'Joins after',
    description:
      'Three flows share one link between two switches. This is the time between the starts of two of them.',
    unit: 'ms',
  }),
  duration: z.int().min(20).max(1000).default(100).meta({
    title: 'Duration',
    description: 'Virtual time from the last start to the end.',
    unit: 'ms',
  }),
  kmin: z.int().min(5).max(2000).default(40).meta({
    title: 'Kmin',
    description: 'Queue from which the switch marks packets.',
    unit: 'KB',
  }),
  kmax: z.int().min(5).max(8000).default(200).meta({
    title: 'Kmax',
    description: 'Queue from which it marks all packets. Just below, it marks 20 %.',
    unit: 'KB',
  }),
  seeds: seedsParam(2, 10),
  seed: seedParam,
});

export type DcqcnFairnessParams = z.output<typeof dcqcnFairnessParams>;
export type Context = LabContext<DcqcnFairnessParams>;
