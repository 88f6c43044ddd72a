import type { LatencyHistogram, Transport } from '@verbslab/protocol';
import { latencies } from './latency-sums.js';
import type { MeasuredRun } from './measured-run.js';

/** Bins per decade. At 40, a bin is 6 % wide: coarser than the recorder, fine enough to show two peaks as two. */
export const PER_DECADE = 40;
/** Number of bins, from 1 ns to more than an hour. */
export const BINS = PER_DECADE * 13;

/** Logarithmic bin of a latency in nanoseconds. */
export function binOf(ns: number): number {
  return Math.min(BINS - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, ns)) * PER_DECADE + 1e-9)));
}

/** Lower edge of a bin in nanoseconds. */
export function edgeOf(bin: number): number {
  return 10 ** (bin / PER_DECADE);
}

export interface Percentiles {
  total: number;
  min: number;
  max: number;
  /** Null if there are too few samples. */
  p50: number | null;
  p99: number | null;
  p999: number | null;
  /** Share of all operations per bin, aligned with `Binned.edges`. */
  share: number[];
}
export type LatencyCurve = Percentiles & { transport: Transport };

export interface Binned<C> {
  /** Edges of the bins shown, ns; one more than there are bins. */
  edges: number[];
  curves: C[];
}
export type LatencyView = Binned<LatencyCurve>;

/** Share of each bin, or the sum of all bins up to it, percent. */
export function percentOf({ share }: Pick<Percentiles, 'share'>, kind: 'histogram' | 'cumulative'): number[] {
  let sum = 0;
  return share.map((one) => (kind === 'histogram' ? one : (sum += one)) * 100);
}

/** A curve per transport, all on the same axis. */
export const latencyView = (model: MeasuredRun): LatencyView =>
  binned([...latencies(model)], (transport) => ({ transport }));

/** Distributions on one axis, each with its own name. */
export function binned<K, N>(
  loops: readonly (readonly [K, LatencyHistogram])[],
  named: (key: K) => N,
): Binned<Percentiles & N> {
  if (loops.length === 0) return { edges: [], curves: [] };
  const first = Math.min(...loops.map(([, values]) => binOf(values.distribution[0]![0])));
  const last = Math.max(...loops.map(([, values]) => binOf(values.max)));
  return {
    edges: Array.from({ length: last - first + 2 }, (_, i) => edgeOf(first + i)),
    curves: loops.map(([key, values]) => {
      const share = new Array<number>(last - first + 1).fill(0);
      for (const [ns, count] of values.distribution) share[binOf(ns) - first]! += count / values.count;
      return {
        ...named(key),
        total: values.count,
        min: values.min,
        max: values.max,
        p50: values.percentile('p50'),
        p99: values.percentile('p99'),
        p999: values.percentile('p999'),
        share,
      };
    }),
  };
}
