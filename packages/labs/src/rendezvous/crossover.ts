/** From which size on one way is faster, as measured and by the formula. Pure functions. */

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
