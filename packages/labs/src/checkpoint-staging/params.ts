import { z } from 'zod';
import { repetitionsThat } from '../form/common-params.js';
import { linkParam } from '../endpoints/link.js';

const KIB = 1024;

export const checkpointStagingParams = z.object({
  shards: z.int().min(2).max(8).default(4).meta({
    title: 'Shards',
    description: 'Parts of a checkpoint. Each is one WRITE, and has a checksum of its own.',
  }),
  shardBytes: z
    .int()
    .min(4 * KIB)
    .max(64 * KIB)
    .default(64 * KIB)
    .meta({ title: 'Shard size', description: 'Bytes of one shard.', unit: 'B' }),
  commits: z.int().min(2).max(30).default(6).meta({
    title: 'Commits posted together',
    description:
      'Checkpoints that are posted with one call, the record with the data, while the restorer watches.',
  }),
  rounds: z.int().min(3).max(100).default(10).meta({
    title: 'Rounds per measurement',
    description: 'A measurement is the median of their times. Two more come first and are left out.',
  }),
  repeat: repetitionsThat(
    'How often each setting is measured, all in turns. Results show the median and the range. One is called faster if it won so many of the repetitions that chance alone would give such a verdict on at most 5 % of pages.',
    9,
  ),
  link: linkParam,
});

export type CheckpointStagingParams = z.output<typeof checkpointStagingParams>;
