/** Numbers of questions, drawn by a seed. */
import { pick } from './random.js';

/** Where a number of a question comes from: some of these, or a multiple of `step` in a range. */
export type Drawn = readonly number[] | { min: number; max: number; step?: number };
export type Numbers<K extends string> = Readonly<Record<K, number>>;

function draw(random: () => number, from: Drawn): number {
  if ('length' in from) return pick(random, from);
  const { min, max, step = 1 } = from;
  const steps = Math.floor((max - min) / step);
  return min + step * Math.floor(random() * (steps + 1));
}

export const drawNumbers = <K extends string>(random: () => number, numbers: Record<K, Drawn>): Numbers<K> =>
  Object.fromEntries(
    Object.entries<Drawn>(numbers).map(([name, from]) => [name, draw(random, from)]),
  ) as Record<K, number>;
