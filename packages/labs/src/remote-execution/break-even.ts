/** The size from which one way takes less time than another. */

export interface TimeAt {
  size: number;
  time: number;
}

export type BreakEven = { at: number } | { never: 'always-less' | 'always-more' };

/**
 * Size from which the first way takes less time, on straight lines between the measured sizes. Both lists have the same
 * sizes, ascending. Noise may make the lines cross several times. The last crossing counts then: behind it the first
 * way stays ahead.
 */
export function breakEven(first: readonly TimeAt[], other: readonly TimeAt[]): BreakEven {
  const gap = first.map(({ time }, i) => time - other[i]!.time);
  if (gap.at(-1)! >= 0) return { never: 'always-more' };
  for (let i = gap.length - 2; i >= 0; i--) {
    if (gap[i]! < 0) continue;
    const [from, to] = [first[i]!.size, first[i + 1]!.size];
    return { at: from + ((to - from) * gap[i]!) / (gap[i]! - gap[i + 1]!) };
  }
  return { never: 'always-less' };
}
