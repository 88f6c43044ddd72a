import type { ParamRule } from '@verbslab/protocol';
import { z } from 'zod';
import { repetitionsThat } from '../form/common-params.js';
import { linkParam } from '../endpoints/link.js';

export const inferenceRingParams = z.object({
  slots: z.int().min(4).max(64).default(32).meta({
    title: 'Slots of the ring',
    description: 'Requests that fit into the server’s memory. Batches up to this size are measured.',
  }),
  batch: z.int().min(1).max(64).default(4).meta({
    title: 'Requests per batch',
    description:
      'In the part with credits and in the one without a RECV. The measurement has batches of 1, 2, 4 and so on.',
  }),
  batches: z.int().min(4).max(64).default(20).meta({
    title: 'Batches',
    description: 'With credits. By default they go around the ring two and a half times.',
  }),
  features: z.int().min(4).max(1024).default(64).meta({
    title: 'Features per request',
    description: 'float32 values. A slot also has 8 bytes for the sequence number.',
  }),
  rounds: z.int().min(5).max(200).default(15).meta({
    title: 'Batches per measurement',
    description: 'A measurement is the median of their times. Two more come first and are left out.',
  }),
  repeat: repetitionsThat('How often each batch size is measured. Results show the median and the range.', 9),
  link: linkParam,
});

export type InferenceRingParams = z.output<typeof inferenceRingParams>;

export const INFERENCE_RING_RULES: ParamRule[] = [
  { param: 'batch', bound: 'at-most', of: { param: 'slots' }, why: 'A batch must fit into the ring.' },
];
