/** Flows that a hash spreads over equal paths: how many paths it uses, and what the busiest one gets. */

/** Expected share of the paths that at least one of the flows takes. */
export const shareInUse = (paths: number, flows: number): number => 1 - (1 - 1 / paths) ** flows;

/** Flows that are hashed to the same set of paths, and the number of such sets, each hashed independently. */
export interface Hashed {
  paths: number;
  flows: number;
  sets?: number;
}

/** Probabilities below it change nothing that is shown. */
const NEGLIGIBLE = 1e-12;

/** ln(n!) for n from 0 to `most`. */
function logFactorials(most: number): number[] {
  const found = [0];
  for (let n = 1; n <= most; n++) found.push(found[n - 1]! + Math.log(n));
  return found;
}

/** The probability that no path gets more than `most` of the flows. */
function noneAbove({ paths, flows }: Hashed, most: number, logs: readonly number[]): number {
  // left[n]: the probability that n flows are left for the paths not looked at.
  let left = new Map([[flows, 1]]);
  for (let others = paths; others > 1; others--) {
    const [one, rest] = [Math.log(1 / others), Math.log(1 - 1 / others)];
    const next = new Map<number, number>();
    for (const [n, chance] of left) {
      for (let here = 0; here <= Math.min(most, n); here++) {
        const ways = logs[n]! - logs[here]! - logs[n - here]!;
        const part = chance * Math.exp(ways + here * one + (n - here) * rest);
        if (part > NEGLIGIBLE) next.set(n - here, (next.get(n - here) ?? 0) + part);
      }
    }
    left = next;
  }
  let sum = 0;
  for (const [n, chance] of left) if (n <= most) sum += chance;
  return Math.min(sum, 1);
}

/** Expected number of flows on the busiest path of all sets. */
export function busiestPath(...all: readonly Hashed[]): number {
  const logs = logFactorials(Math.max(...all.map(({ flows }) => flows)));
  let expected = 0;
  for (let most = 0; ; most++) {
    let chance = 1;
    for (const hashed of all) chance *= noneAbove(hashed, most, logs) ** (hashed.sets ?? 1);
    expected += 1 - chance;
    if (chance > 1 - 1e-6) return expected;
  }
}
