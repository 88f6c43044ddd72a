import type { Transport } from '@verbslab/protocol';
import type { RunModel } from './run-model';

/** Bins a decade. Forty are 6 % wide: coarser than the recorder, fine enough to show two peaks as two. */
export const PER_DECADE = 40;
/** From 1 ns to beyond an hour. */
export const BINS = PER_DECADE * 13;

/** Logarithmic bin of a latency. */
export function binOf(ns: number): number {
  return Math.min(BINS - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, ns)) * PER_DECADE + 1e-9)));
}

/** Lower edge of a bin in nanoseconds. */
export function edgeOf(bin: number): number {
  return 10 ** (bin / PER_DECADE);
}

/** Latencies of one loop so far. */
export interface LatencyValues {
  total: number;
  min: number;
  max: number;
  /** Operations by logarithmic bin; `BINS` of them. */
  bins: Float64Array;
  /** Smallest value that `share` (0 to 1) of all operations did not exceed. */
  percentile: (share: number) => number;
}

export interface LatencyCurve {
  transport: Transport;
  total: number;
  min: number;
  max: number;
  p50: number;
  p99: number;
  p999: number;
  /** Share of all operations per bin, aligned with `LatencyView.edges`. */
  share: number[];
}

export interface LatencyView {
  /** Edges of the bins shown, nanoseconds; one more than there are bins. */
  edges: number[];
  curves: LatencyCurve[];
}

/** Latencies of one source so far, or null when nothing was recorded. */
export type LatencyReader = (model: RunModel, source: number) => LatencyValues | null;

/** One curve a transport, all on the same axis. */
export function latencyView(model: RunModel, read: LatencyReader): LatencyView {
  const loops: { transport: Transport; values: LatencyValues }[] = [];
  for (const id of model.histograms.keys()) {
    const source = model.sources.get(id);
    if (source?.role !== 'client' || source.what !== 'loop') continue;
    const values = read(model, id);
    if (values && values.total > 0) loops.push({ transport: source.transport, values });
  }
  if (loops.length === 0) return { edges: [], curves: [] };
  const first = Math.min(...loops.map((l) => binOf(l.values.min)));
  const last = Math.max(...loops.map((l) => binOf(l.values.max)));
  return {
    edges: Array.from({ length: last - first + 2 }, (_, i) => edgeOf(first + i)),
    curves: loops.map(({ transport, values }) => ({
      transport,
      total: values.total,
      min: values.min,
      max: values.max,
      p50: values.percentile(0.5),
      p99: values.percentile(0.99),
      p999: values.percentile(0.999),
      share: Array.from(values.bins.subarray(first, last + 1), (n) => n / values.total),
    })),
  };
}
