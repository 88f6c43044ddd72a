import { median, type Spread as Range } from '@verbslab/protocol';

/** Samples of one quantity: the one in the middle, and how far the others lie from it. */
export interface Spread extends Range {
  median: number;
  /** Samples. */
  n: number;
}

export const spreadOf = (samples: readonly number[]): Spread => ({
  median: median(samples),
  min: Math.min(...samples),
  max: Math.max(...samples),
  n: samples.length,
});

/** The spread of a quantity that is measured in another unit. */
export const scaled = ({ median: middle, min, max, n }: Spread, factor: number): Spread => ({
  median: middle * factor,
  min: min * factor,
  max: max * factor,
  n,
});
