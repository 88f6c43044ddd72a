/** From which size on one way is faster, as measured and by the formula. Pure functions. */
import { formatBytes } from '../format.js';

/** From `first` by a factor of 4; `largest` is always the last. */
export function powersOfFour(first: number, largest: number): number[] {
  const sizes: number[] = [];
  for (let size = first; size < largest; size *= 4) sizes.push(size);
  return [...sizes, largest];
}

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

export type Order = 'eager' | 'rendezvous' | 'unclear';

/** How many of so many rounds a way must win to be called the faster one. */
export const clearWins = (rounds: number): number => Math.ceil((7 / 8) * rounds);

/** Rounds in which eager took longer. Both lists have one time per round. */
export const winsOf = (eager: readonly number[], rendezvous: readonly number[]): number =>
  eager.filter((time, round) => time > rendezvous[round]!).length;

/** Which way was faster in seven of eight rounds, or in all if there are fewer. One or two rounds decide nothing. */
export function orderOf(eager: readonly number[], rendezvous: readonly number[]): Order {
  const rounds = eager.length;
  const wins = winsOf(eager, rendezvous);
  if (rounds < 3) return 'unclear';
  return wins >= clearWins(rounds) ? 'rendezvous' : wins <= rounds - clearWins(rounds) ? 'eager' : 'unclear';
}

/** `eager in 8 of 9 rounds`, `no clear difference: eager in 4 of 9 rounds`. */
export function orderText(eager: readonly number[], rendezvous: readonly number[], name: string): string {
  const rounds = eager.length;
  const wins = winsOf(eager, rendezvous);
  switch (orderOf(eager, rendezvous)) {
    case 'rendezvous':
      return `${name} in ${wins} of ${rounds}`;
    case 'eager':
      return `eager in ${rounds - wins} of ${rounds}`;
    case 'unclear':
      return `unclear: ${name} in ${wins} of ${rounds}`;
  }
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
  if (verdicts.every(({ order }) => order === 'unclear')) return 'No size showed a clear difference.';
  const clear = [
    ...(at('eager') === '' ? [] : [`eager was faster at ${at('eager')}`]),
    ...(at('rendezvous') === '' ? [] : [`${name} was faster at ${at('rendezvous')}`]),
    ...(at('unclear') === '' ? [] : [`there was no clear difference at ${at('unclear')}`]),
  ].join('; ');
  return `${clear.charAt(0).toUpperCase()}${clear.slice(1)}.`;
}

/** What the clear sizes say about the formula. */
export function formulaText(formula: number, verdicts: readonly Verdict[]): string {
  const against = verdicts.filter(
    ({ size, order }) => (order === 'eager' && size > formula) || (order === 'rendezvous' && size < formula),
  );
  if (against.length > 0) return `The run contradicts it at ${sizesText(against.map(({ size }) => size))}.`;
  if (verdicts.at(-1)!.size <= formula) return 'No larger message was measured, so the run cannot test it.';
  return verdicts.some(({ size, order }) => order === 'rendezvous' && size > formula)
    ? 'The sizes with a clear difference agree.'
    : 'Above that size the run shows no clear difference, so it neither confirms nor contradicts the formula.';
}
