import type { LabContext } from '@verbslab/protocol';
import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';

/** All-reduces of one repetition, after one that is left out. */
export const ALL_REDUCES = 10;
/** Bytes of the vector whose messages are captured, before it is rounded. */
export const CAPTURED = 16 * 1024;

const ROUNDED = 'It is rounded down to as many elements in each part.';

export const ringAllReduceParams = z.object({
  hosts: z.int().min(2).max(8).default(4).meta({
    title: 'Hosts',
    description: 'N. Each has a vector of its own, and gets the sum of all.',
  }),
  small: z
    .int()
    .min(512)
    .max(8192)
    .default(1024)
    .meta({
      title: 'Small vector',
      description: `Bytes of float32 elements. ${ROUNDED}`,
      unit: 'B',
    }),
  large: z
    .int()
    .min(65_536)
    .max(4 * 1024 * 1024)
    .default(512 * 1024)
    .meta({
      title: 'Large vector',
      description: 'Sizes grow from the small one up to it, by a factor of 8.',
      unit: 'B',
    }),
  repeat: z
    .int()
    .min(1)
    .max(20)
    .default(5)
    .meta({
      title: 'Repetitions',
      description: `Per algorithm and size. Each is the mean of ${ALL_REDUCES} all-reduces. Results show the median of the repetitions and the range.`,
    }),
  link: linkParam,
});

export type RingAllReduceParams = z.output<typeof ringAllReduceParams>;
export type Context = LabContext<RingAllReduceParams>;
