import type { LabContext } from '@verbslab/protocol';
import { z } from 'zod';
import { hosts } from '../collective/declarations.js';
import { repetitionsThat } from '../form/common-params.js';
import { linkParam } from '../endpoints/link.js';

/** All-reduces of one repetition, after one that is left out. */
export const ALL_REDUCES = 10;
/** Bytes of the vector whose messages are captured, before it is rounded. */
export const CAPTURED = 16 * 1024;

const ROUNDED = 'It is rounded down to as many elements in each part.';

export const ringAllReduceParams = z.object({
  hosts: hosts('N. Each has a vector of its own, and gets the sum of all.'),
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
  repeat: repetitionsThat(
    `Per algorithm and size. Each is the mean of ${ALL_REDUCES} all-reduces. Results show the median of the repetitions and the range.`,
    5,
    20,
  ),
  link: linkParam,
});

export type RingAllReduceParams = z.output<typeof ringAllReduceParams>;
export type Context = LabContext<RingAllReduceParams>;
