import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';

const KIB = 1024;

/** Messages of these sizes are compared, beside the chosen one. */
export const SIZES = [4 * KIB, 16 * KIB, 64 * KIB, 256 * KIB, 1024 * KIB] as const;
export const LARGEST = SIZES[SIZES.length - 1]!;

export const registerOrCopyParams = z.object({
  size: z
    .int()
    .min(4 * KIB)
    .max(LARGEST)
    .default(64 * KIB)
    .meta({ title: 'Message size', description: 'Bytes of each message.', unit: 'B' }),
  messages: z.int().min(8).max(256).default(64).meta({
    title: 'Messages',
    description: 'How many messages each method sends per round, from one buffer.',
  }),
  rounds: z.int().min(3).max(15).default(5).meta({
    title: 'Rounds',
    description: 'How often everything is measured. Times are medians.',
  }),
  link: linkParam,
});

export type RegisterOrCopyParams = z.output<typeof registerOrCopyParams>;
