/** What samples and results of simulations say. */
import type { SimulatedSample, SimulationResult } from '@verbslab/protocol';
import { meanOf } from './means.js';

/** Bytes in the longest queue of a sample. */
export const deepest = ({ queues }: Pick<SimulatedSample, 'queues'>): number =>
  queues.reduce((most, [, , , bytes]) => Math.max(most, bytes), 0);

/** Packets dropped, whatever the reason. */
export const dropsOf = ({ drops }: Pick<SimulationResult, 'drops'>): number =>
  Object.values(drops).reduce((sum, one) => sum + one, 0);

export const average = (values: readonly number[]): number => meanOf(values).value;

/**
 * A point for `each` points in a row, at the x of the last one.
 * @param merge the y of several, as their highest or their mean
 */
export function thinned(
  points: readonly { x: number; y: number }[],
  each: number,
  merge: (ys: number[]) => number,
): { x: number; y: number }[] {
  return Array.from({ length: Math.ceil(points.length / each) }, (_, i) => {
    const some = points.slice(i * each, (i + 1) * each);
    return { x: some.at(-1)!.x, y: merge(some.map(({ y }) => y)) };
  });
}

export const highest = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), 0);
