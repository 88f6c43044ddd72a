/** Means over the seeds of a simulation. */
import type { Stat } from '../base/sweep.js';

/** The mean of some values and their range: no numbers where there is none. */
export const meanOf = (values: readonly number[]): Stat => ({
  value: values.length === 0 ? NaN : values.reduce((sum, one) => sum + one, 0) / values.length,
  min: values.length === 0 ? NaN : Math.min(...values),
  max: values.length === 0 ? NaN : Math.max(...values),
  n: values.length,
});

/** The value that is farthest from 0; 0 if there is none. */
export const farthest = (values: readonly number[]): number =>
  values.reduce((most, one) => (Math.abs(one) > Math.abs(most) ? one : most), 0);
