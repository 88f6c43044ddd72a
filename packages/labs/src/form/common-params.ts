/** Parameters that every sweep has. */
import { z } from 'zod';

/** Repetitions with a description of their own. */
export const repetitionsThat = (description: string, usual = 5, most = 15) =>
  z.int().min(1).max(most).default(usual).meta({ title: 'Repetitions', description });

const repetitionsOf = (shown: string) =>
  repetitionsThat(
    `How often each setting is measured. Results show ${shown}. Ranges of few repetitions lie apart by chance too, so the lab then gives no verdict.`,
  );

export const repetitions = repetitionsOf('the median and the range');

/**
 * Repetitions for a lab that compares with a computed rate: other programs on the machine can only slow a repetition
 * down.
 */
export const repetitionsForFastest = repetitionsOf(
  'the fastest, because other programs can only slow it down, and the range',
);

export const pointMs = (ms: number) =>
  z.int().min(20).max(2000).default(ms).meta({
    title: 'Time per measurement',
    description: 'How long each setting is measured in each repetition. A warm-up of 10 ms comes before it.',
    unit: 'ms',
  });

/** Warm-up of a measurement, ms; its messages are left out. */
export const WARM_UP_MS = 10;
