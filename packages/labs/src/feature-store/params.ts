import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';

export const featureStoreParams = z.object({
  epochs: z.int().min(2).max(8).default(4).meta({
    title: 'Epochs',
    description: 'The writer adds one row per epoch.',
  }),
  groups: z.int().min(2).max(8).default(4).meta({
    title: 'Feature groups per row',
    description: 'Each is computed on its own, so each is one WRITE.',
  }),
  groupBytes: z.int().min(512).max(4096).default(1024).meta({
    title: 'Group size',
    description: 'Bytes of one feature group.',
    unit: 'B',
  }),
  link: linkParam,
});

export type FeatureStoreParams = z.output<typeof featureStoreParams>;
