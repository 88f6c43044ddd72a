/** Settings measured in turns, and what their repetitions say together. */
import { median, type LabContext } from '@verbslab/protocol';

/** The median of some repetitions and their range: no numbers where there is none. */
export interface Stat {
  value: number;
  min: number;
  max: number;
  n: number;
}

export const statOf = (values: readonly number[]): Stat =>
  values.length === 0
    ? { value: NaN, min: NaN, max: NaN, n: 0 }
    : { value: median(values), min: Math.min(...values), max: Math.max(...values), n: values.length };

/** A quantity in another unit. */
export const scaled = ({ value, min, max, n }: Stat, factor: number): Stat => ({
  value: value * factor,
  min: min * factor,
  max: max * factor,
  n,
});

/** Powers from `first` by this factor up to `largest`, which is always the last. */
export function powersOf(factor: number, largest: number, first = 1): number[] {
  const steps: number[] = [];
  for (let value = first; value < largest; value *= factor) steps.push(value);
  return [...steps, largest];
}

/** `1, 2, 4, …` up to `largest`, which is always the last. */
export const powersOfTwo = (largest: number, first = 1): number[] => powersOf(2, largest, first);

/**
 * Measures every setting once per round, forward in one round and backward in the next, so that a slow change of the
 * machine hits all settings alike. Answers with the rounds of each setting, in the order of the settings.
 */
export async function sweep<S, R>(
  ctx: LabContext<unknown>,
  settings: readonly S[],
  rounds: number,
  text: (setting: S) => string,
  measure: (setting: S) => Promise<R>,
): Promise<R[][]> {
  const found: R[][] = settings.map(() => []);
  const total = settings.length * rounds;
  let done = 0;
  for (let round = 0; round < rounds; round++) {
    const order = [...settings.keys()];
    if (round % 2 === 1) order.reverse();
    for (const index of order) {
      ctx.signal.throwIfAborted();
      const setting = settings[index]!;
      ctx.progress(done++ / total, `Round ${round + 1} of ${rounds}: ${text(setting)}`);
      found[index]!.push(await measure(setting));
    }
  }
  return found;
}

/** The knee is where this part of the best value is reached. */
export const KNEE_PART = 0.9;

/** The smallest x with at least `KNEE_PART` of the largest y. */
export function kneeOf(points: readonly { x: number; y: number }[]): number {
  const best = Math.max(...points.map(({ y }) => y));
  return Math.min(...points.filter(({ y }) => y >= KNEE_PART * best).map(({ x }) => x));
}

/** The knee, if the curve bends there: null at an end, where it falls from its first value or still rises at its last. */
export function bendOf(points: readonly { x: number; y: number }[]): number | null {
  if (points.length < 3) return null;
  const xs = points.map(({ x }) => x);
  const knee = kneeOf(points);
  return knee === Math.min(...xs) || knee === Math.max(...xs) ? null : knee;
}

/**
 * Describes the knee of these settings, which ascend, in a sentence. `at` is a setting in words, `lists of 8`. A curve
 * that reaches its best only at its last setting may go on rising: where it flattens is then not known.
 */
export function kneeText(points: readonly { x: number; y: number }[], at: (x: number) => string): string {
  const [first, last] = [points[0]!.x, points.at(-1)!.x];
  if (first === last) return 'One setting shows no knee.';
  const knee = kneeOf(points);
  const part = `${KNEE_PART * 100} % of the best`;
  if (knee === first) return `There is no knee: ${at(first)} already gave ${part}.`;
  if (knee === last) return `The curve had not flattened by ${at(last)}, so its knee was not reached.`;
  return `The knee is at ${at(knee)}, the first with ${part}.`;
}
