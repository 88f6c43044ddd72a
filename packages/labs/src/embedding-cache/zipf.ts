/** Ids drawn by popularity, and the hit rates that follow. Pure functions. */

/** Probability of each rank, the most popular one first. */
export function popularity(rows: number, skew: number): number[] {
  const weights = Array.from({ length: rows }, (_, i) => (i + 1) ** -skew);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** Draws ranks, from 0. @param random numbers from 0 to 1 */
export function drawer(of: readonly number[], random: () => number): () => number {
  const upTo: number[] = [];
  for (const share of of) upTo.push((upTo.at(-1) ?? 0) + share);
  return () => {
    const at = random();
    const found = upTo.findIndex((bound) => at < bound);
    return found < 0 ? of.length - 1 : found;
  };
}

const distinct = (of: readonly number[], draws: number): number =>
  of.reduce((sum, share) => sum + 1 - Math.exp(-share * draws), 0);

/**
 * Hit rate of a cache that drops the least recently used row, by Che’s approximation: a row is in the cache if it was drawn
 * within the last T draws, where T draws are expected to contain as many different rows as there are slots. 1 if all rows fit.
 */
export function lruHitRate(of: readonly number[], slots: number): number {
  if (slots >= of.length) return 1;
  let [low, high] = [0, 1];
  while (distinct(of, high) < slots) high *= 2;
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (distinct(of, middle) < slots) low = middle;
    else high = middle;
  }
  return of.reduce((sum, share) => sum + share * (1 - Math.exp(-share * high)), 0);
}

/** Hit rate of a cache that always holds the most popular rows: no other one is better on average. */
export const bestHitRate = (of: readonly number[], slots: number): number =>
  of.slice(0, slots).reduce((sum, share) => sum + share, 0);
