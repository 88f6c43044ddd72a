/** The Kolmogorov–Smirnov distance of two latency distributions. */
import type { LatencyHistogram } from './percentiles.js';

export interface KsDistance {
  /** Distance. 0: the same distribution; 1: every value of one is below every value of the other. */
  distance: number;
  /** Value with the largest difference, ns, and the share of each distribution that is not above it. */
  ns: number;
  shares: readonly [a: number, b: number];
  n: readonly [a: number, b: number];
}

/**
 * The largest difference between the two empirical cumulative distributions. Values in the same slot of the recorder,
 * which is at most a thousandth wide, count as equal. Null if either is empty.
 */
export function ksDistance(a: LatencyHistogram, b: LatencyHistogram): KsDistance | null {
  if (a.count === 0 || b.count === 0) return null;
  const [left, right] = [a.distribution, b.distribution];
  const found = { distance: 0, ns: Math.min(left[0]![0], right[0]![0]), shares: [0, 0] as [number, number] };
  let [i, j, belowA, belowB] = [0, 0, 0, 0];
  while (i < left.length || j < right.length) {
    const ns = Math.min(left[i]?.[0] ?? Infinity, right[j]?.[0] ?? Infinity);
    if (left[i]?.[0] === ns) belowA += left[i++]![1];
    if (right[j]?.[0] === ns) belowB += right[j++]![1];
    const shares: [number, number] = [belowA / a.count, belowB / b.count];
    const distance = Math.abs(shares[0] - shares[1]);
    if (distance > found.distance) Object.assign(found, { distance, ns, shares });
  }
  return { ...found, n: [a.count, b.count] };
}

/** The largest distance between any two distributions; null for fewer than two. */
export function widestDistance(rounds: readonly LatencyHistogram[]): number | null {
  const distances = rounds.flatMap((one, i) =>
    rounds.slice(i + 1).flatMap((other) => ksDistance(one, other)?.distance ?? []),
  );
  return distances.length === 0 ? null : Math.max(...distances);
}
