/** Classes of latency in heat maps: four per octave, from 128 ns to about 17 s. */
export const PER_OCTAVE = 4;
const LEAST = 7;
export const CLASSES = PER_OCTAVE * 27;
/** Highest latency of each class, ns. */
export const UPPER = Float64Array.from({ length: CLASSES }, (_, i) => 2 ** (LEAST + (i + 1) / PER_OCTAVE));

export function classOf(ns: number): number {
  const i = Math.ceil((Math.log2(Math.max(1, ns)) - LEAST) * PER_OCTAVE) - 1;
  return Math.min(CLASSES - 1, Math.max(0, i));
}

/** Number of latencies in each class of each interval, without the classes at both ends that no interval has. */
export interface HeatCells {
  /** Lower end of the first class, and upper end of each, ns. */
  least: number;
  classes: Float64Array;
  /** Interval by interval. */
  counts: Uint32Array;
  /** The largest count. */
  most: number;
}

/** `all`: counts of all classes, for each interval. */
export function heatCells(all: readonly Uint32Array[]): HeatCells {
  const used = all.reduce((n, row) => Math.max(n, row.findLastIndex((c) => c > 0) + 1), 1);
  const first = Math.min(...all.map((row) => row.findIndex((c) => c > 0)).filter((i) => i >= 0), used - 1);
  const classes = used - first;
  const counts = new Uint32Array(all.length * classes);
  all.forEach((row, i) => counts.set(row.subarray(first, used), i * classes));
  return {
    least: UPPER[first]! / 2 ** (1 / PER_OCTAVE),
    classes: UPPER.slice(first, used),
    counts,
    most: counts.reduce((a, b) => Math.max(a, b), 1),
  };
}
