import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';

const KIB = 1024;

/** Lengths of the messages; each has a buffer of its own. */
export const LENGTHS = [4 * KIB, 8 * KIB, 16 * KIB, 32 * KIB] as const;

export const mrCacheParams = z.object({
  iterations: z.int().min(4).max(1000).default(40).meta({
    title: 'Messages',
    description: 'How many messages the client writes.',
  }),
  capacity: z.int().min(0).max(8).default(4).meta({
    title: 'Cache capacity',
    description:
      'Regions that the cache keeps. With 0 every message registers its buffer and deregisters it.',
    unit: 'regions',
  }),
  eviction: z
    .enum(['lru', 'mru'])
    .default('lru')
    .meta({
      title: 'Eviction',
      description:
        'The region that is evicted when the cache is full: the least or the most recently used one.',
      choiceTitles: { lru: 'Least recently used', mru: 'Most recently used' },
    }),
  order: z.enum(['cycle', 'random']).default('cycle').meta({
    title: 'Order of the buffers',
    description: 'Cycle: 4, 8, 16, 32 KiB, and again from the start. Random: a new choice for each message.',
  }),
  rounds: z.int().min(3).max(15).default(6).meta({
    title: 'Rounds',
    description: 'How often the messages are written with the cache and without it, in turn.',
  }),
  link: linkParam,
});

export type MrCacheParams = z.output<typeof mrCacheParams>;
