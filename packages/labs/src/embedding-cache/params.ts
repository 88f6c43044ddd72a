import type { ParamRule } from '@verbslab/protocol';
import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';

export const embeddingCacheParams = z.object({
  readers: z.int().min(1).max(4).default(2).meta({
    title: 'Readers',
    description: 'Each has a cache of its own in front of the table.',
  }),
  rows: z.int().min(64).max(2048).default(512).meta({
    title: 'Rows of the table',
    description: 'Each is the embedding of one id.',
  }),
  slots: z.int().min(16).max(1024).default(64).meta({
    title: 'Rows in a cache',
    description:
      'The least recently used row makes room. A quarter and four times as many (at most all) are measured, too.',
  }),
  skew: z.number().min(0).max(1.5).default(1).meta({
    title: 'Skew of the ids',
    description:
      'The id of rank k is drawn with a probability in proportion to 1 / k^s (Zipf). 0: all alike.',
  }),
  lookups: z.int().min(100).max(4000).default(700).meta({
    title: 'Lookups',
    description:
      'Of each reader, for each size of the cache, once the cache is full. It stops after three times as many in all.',
  }),
  batch: z.int().min(1).max(64).default(32).meta({
    title: 'Ids per request',
    description: 'A reader looks them up together and posts the READs of all that miss with one call.',
  }),
  rowBytes: z.int().min(64).max(1024).default(256).meta({
    title: 'Row size',
    description: 'Bytes of one row. A miss is one READ of that size.',
    unit: 'B',
  }),
  seed: z.int().min(0).max(1_000_000).default(1).meta({
    title: 'Seed',
    description: 'The same seed draws the same ids.',
  }),
  link: linkParam,
});

export type EmbeddingCacheParams = z.output<typeof embeddingCacheParams>;

export const EMBEDDING_CACHE_RULES: ParamRule[] = [
  {
    param: 'slots',
    bound: 'at-most',
    of: { param: 'rows' },
    why: 'A larger cache would hold the whole table.',
  },
];
