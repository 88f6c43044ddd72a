/** The batch size with the highest rate, and the verdict on it: rounds decide, not medians alone. Pure functions. */
import { fasterOf } from '../base/verdict.js';
import { bendOf, kneeOf, kneeText } from '../base/sweep.js';
import type { Measured } from './measure.js';

export interface Best {
  batch: number;
  /** Median, in the unit of the times. */
  time: number;
  /** Smallest batch with most of the best rate; null if the sizes show no bend, or none that is clear. */
  knee: number | null;
  /** Text behind “batches of 8”: the sizes that are not clearly slower, and the knee. */
  text: string;
}

const listed = (sizes: readonly number[]): string =>
  sizes.length < 2 ? sizes.join('') : `${sizes.slice(0, -1).join(', ')} and ${sizes.at(-1)}`;

/** @param measured of ascending sizes, in the same rounds */
export function bestOf(measured: readonly Measured[]): Best {
  const rates = measured.map(({ batch, time }) => ({ x: batch, y: batch / time.value }));
  const each = ({ batch, rounds }: Measured): number[] => rounds.map((time) => time / batch);
  const best = measured.reduce((a, b) => (b.batch / b.time.value > a.batch / a.time.value ? b : a));
  const like = measured
    .filter((one) => one !== best && fasterOf(each(best), each(one), measured.length - 1) !== 'first')
    .map(({ batch }) => batch);
  const knee = kneeOf(rates);
  const clear = like.every((batch) => batch >= knee);
  const difference = like.length === 0 ? '.' : `; no clear difference from batches of ${listed(like)}.`;
  return {
    batch: best.batch,
    time: best.time.value,
    knee: clear ? bendOf(rates) : null,
    text: `${difference} ${clear ? kneeText(rates, (batch) => `batches of ${batch}`) : 'So the run does not show where the knee is.'}`,
  };
}
