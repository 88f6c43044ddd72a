/** The size from which one way is faster, as measured and by the formula. Pure functions. */
import { formatBytes } from '../base/format.js';
import { fasterOf } from '../base/verdict.js';

export interface Pair {
  size: number;
  /** Times of both ways, in the same unit. */
  eager: number;
  rendezvous: number;
}

/**
 * The size at which the lines through these points cross for the last time, so that rendezvous is faster from there on.
 * Between two sizes both times are taken as straight lines. The smallest size if rendezvous is always faster; null if it is
 * not faster at the largest.
 */
export function crossoverOf(pairs: readonly Pair[]): number | null {
  const last = pairs.findLastIndex(({ eager, rendezvous }) => eager <= rendezvous);
  if (last === pairs.length - 1) return null;
  if (last < 0) return pairs[0]!.size;
  const [below, above] = [pairs[last]!, pairs[last + 1]!];
  const [lead, behind] = [below.rendezvous - below.eager, above.eager - above.rendezvous];
  return below.size + (lead / (lead + behind)) * (above.size - below.size);
}

/** The size whose copies take as long as the round trip. Times in ns. @param copyNs of `bytes`, at both ends together */
export const formulaOf = (roundTripNs: number, copyNs: number, bytes: number): number =>
  roundTripNs / (copyNs / bytes);

export type Order = 'eager' | 'rendezvous' | 'unclear' | 'few';

const ORDERS = { first: 'rendezvous', second: 'eager' } as const;

/** The order of the ways in rounds with one time of each. @param among verdicts that the page states */
export function orderOf(eager: readonly number[], rendezvous: readonly number[], among: number): Order {
  const faster = fasterOf(rendezvous, eager, among);
  return faster === 'first' || faster === 'second' ? ORDERS[faster] : faster;
}

export interface Verdict {
  size: number;
  order: Order;
}

/** `1 KiB, 4 KiB and 16 KiB`. */
const sizesText = (sizes: readonly number[]): string => {
  const texts = sizes.map(formatBytes);
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
};

/** `Eager was faster at 1 KiB, WRITE at 4 MiB. No clear difference at 64 KiB.` */
export function verdictsText(verdicts: readonly Verdict[], name: string): string {
  const at = (order: Order): string =>
    sizesText(verdicts.filter((one) => one.order === order).map(({ size }) => size));
  if (verdicts.some(({ order }) => order === 'few')) return 'These are too few rounds for a verdict.';
  if (verdicts.every(({ order }) => order === 'unclear')) return 'No size showed a clear difference.';
  const clear = [
    ...(at('eager') === '' ? [] : [`eager was faster at ${at('eager')}`]),
    ...(at('rendezvous') === '' ? [] : [`${name} was faster at ${at('rendezvous')}`]),
    ...(at('unclear') === '' ? [] : [`there was no clear difference at ${at('unclear')}`]),
  ].join('; ');
  return `${clear.charAt(0).toUpperCase()}${clear.slice(1)}.`;
}

/** A value with the least and the most that its parts allow. */
export interface Range {
  value: number;
  min: number;
  max: number;
}

/** The size of the formula, with the smallest and largest that the ranges of its parts allow. @param copyNs of `bytes` */
export const formulaRange = (roundTripNs: Range, copyNs: Range, bytes: number): Range => ({
  value: formulaOf(roundTripNs.value, copyNs.value, bytes),
  min: formulaOf(roundTripNs.min, copyNs.max, bytes),
  max: formulaOf(roundTripNs.max, copyNs.min, bytes),
});

/**
 * A sentence about the formula, from the sizes with a clear difference. Within its range the formula says nothing of a
 * size.
 */
export function formulaText({ min, max }: Range, verdicts: readonly Verdict[]): string {
  const against = verdicts.filter(
    ({ size, order }) => (order === 'eager' && size > max) || (order === 'rendezvous' && size < min),
  );
  if (against.length > 0) return `The run contradicts it at ${sizesText(against.map(({ size }) => size))}.`;
  const above = verdicts.filter(({ size }) => size > max);
  if (above.length === 0)
    return `The spread of its parts allows ${formatBytes(Math.round(min))} to ${formatBytes(Math.round(max))}. No larger message was measured, so the run cannot test it.`;
  return above.some(({ order }) => order === 'rendezvous')
    ? 'The sizes with a clear difference agree.'
    : `At ${sizesText(above.map(({ size }) => size))}, above it, the run shows no clear difference. So it neither confirms nor contradicts the formula.`;
}

/** Medians of the same thing differ by less, even where the machine is quiet. */
const MUCH_LONGER = 1.25;

/**
 * True if the round trip, measured alone, took much longer than a whole eager message of the smallest size, which is a
 * round trip and two copies. Then something else took the time, and the formula’s size is too large.
 */
export const tripDisturbed = (roundTripNs: number, smallestEagerNs: number): boolean =>
  roundTripNs > MUCH_LONGER * smallestEagerNs;
