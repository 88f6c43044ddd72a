/** The task of the workers: find an optimum. The gradient of a parameter is its distance to it. Pure functions. */
import { seeded } from '../base/random.js';

const SEED = 2024;

/** The optimum is the same for all workers, so that only staleness decides how well they do. */
export function optimumOf(count: number): Float32Array {
  const random = seeded(SEED);
  return Float32Array.from({ length: count }, () => 2 * random() - 1);
}

export const gradientOf = (parameters: Float32Array, optimum: Float32Array): Float32Array =>
  parameters.map((value, i) => value - optimum[i]!);

/** Subtracts the rate times the mean of the gradients. */
export function update(
  parameters: Float32Array,
  gradients: readonly Float32Array[],
  rate: number,
): Float32Array {
  return parameters.map(
    (value, i) => value - (rate * gradients.reduce((sum, one) => sum + one[i]!, 0)) / gradients.length,
  );
}

/** Root mean square; 1 for a model that is all zeros, if `start` is that of zeros. */
export function distanceOf(parameters: Float32Array, optimum: Float32Array): number {
  const of = (values: Float32Array): number => Math.hypot(...values);
  return of(gradientOf(parameters, optimum)) / of(optimum);
}

/**
 * The distance after each update, by the formula e(t + 1) = e(t) − rate × e(t − staleness of that gradient), from 1. `read`
 * gives the version that the gradient of each update was computed from.
 */
export function expectedDistances(rate: number, read: readonly number[]): number[] {
  const errors = [1];
  for (const version of read) errors.push(errors.at(-1)! - rate * errors[version]!);
  return errors.slice(1).map(Math.abs);
}
