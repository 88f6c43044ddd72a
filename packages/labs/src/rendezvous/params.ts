import { z } from 'zod';
import { repetitionsThat } from '../form/common-params.js';
import { linkParam } from '../endpoints/link.js';
import { powersOf } from '../base/sweep.js';

const KIB = 1024;
export const SMALLEST = KIB;

export const rendezvousParams = z.object({
  largest: z
    .int()
    .min(64 * KIB)
    .max(8 * KIB * KIB)
    .default(4 * KIB * KIB)
    .meta({
      title: 'Largest message',
      description:
        'Sizes grow from 1 KiB up to it, by a factor of 4. The eager way keeps a RECV of this size posted.',
      unit: 'B',
    }),
  messages: z.int().min(3).max(200).default(5).meta({
    title: 'Messages per measurement',
    description: 'A measurement is the median of their times. One more comes first and is left out.',
  }),
  repeat: repetitionsThat(
    'How often each way and size is measured, all in turns. Results show the median and the range. A way is called faster if it won so many of the repetitions that chance alone would give such a verdict on at most 5 % of pages: 10 of 10 with the default sizes.',
    10,
  ),
  link: linkParam,
});

export type RendezvousParams = z.output<typeof rendezvousParams>;

export const sizesOf = ({ largest }: Pick<RendezvousParams, 'largest'>): number[] =>
  powersOf(4, largest, SMALLEST);
