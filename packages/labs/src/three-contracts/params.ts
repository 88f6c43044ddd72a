import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';
import { MAX_MESSAGES, SHORTEST, SLOT } from './limits.js';

export const contractsParams = z.object({
  messages: z
    .int()
    .min(3)
    .max(MAX_MESSAGES)
    .default(5)
    .meta({ title: 'Messages', description: 'SENDs of each trial that does not need just one.' }),
  size: z.int().min(SHORTEST).max(SLOT).default(256).meta({
    title: 'Message size',
    description: 'Where lengths differ, they are drawn up to it.',
    unit: 'B',
  }),
  retries: z.int().min(1).max(6).default(3).meta({
    title: 'Retries',
    description:
      'retry_cnt of the client, and its rnr_retry where the server posts no RECV. In all other trials rnr_retry is 7, which means no limit.',
  }),
  seed: z.int().min(1).max(1_000_000).default(1).meta({
    title: 'Seed',
    description: 'The same seed draws the same lengths.',
  }),
  link: linkParam,
});

export type ContractsParams = z.output<typeof contractsParams>;
