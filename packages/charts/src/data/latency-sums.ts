import { LatencyHistogram, type Transport } from '@verbslab/protocol';
import type { HistogramFrames, MeasuredRun } from './measured-run.js';

/** Sums of the encoded interval histograms of each loop. Each interval is added once. */
const sums = new WeakMap<HistogramFrames, LatencyHistogram>();
/** Loops with their own total already read. Late intervals would count twice. */
const closed = new WeakSet<HistogramFrames>();

/** Latencies of a loop so far; null if nothing was recorded. */
export function readLatency(model: MeasuredRun, source: number): LatencyHistogram | null {
  const frames = model.histograms.get(source);
  if (!frames) return null;
  if (frames.total) {
    const total = decode(model, frames.total);
    if (total) sums.set(frames, total);
    frames.total = null;
    frames.pending = [];
    closed.add(frames);
  } else if (!closed.has(frames)) {
    for (const encoded of frames.pending.splice(0)) {
      const sum = sums.get(frames);
      const interval = decode(model, encoded);
      if (sum && interval) sum.add(interval);
      else if (interval) sums.set(frames, interval);
    }
  }
  const sum = sums.get(frames);
  return sum && sum.count > 0 ? sum : null;
}

/** Decodes a histogram. One that cannot be decoded counts as a bad frame. */
function decode(model: MeasuredRun, encoded: Uint8Array): LatencyHistogram | null {
  try {
    return LatencyHistogram.decode(encoded);
  } catch {
    model.badFrames++;
    return null;
  }
}

const kept = new WeakMap<MeasuredRun, { version: number; byTransport: Map<Transport, LatencyHistogram> }>();

/**
 * Latencies of each transport so far, measured by the clients of its loops. The result is cached: several views ask in
 * a row.
 */
export function latencies(model: MeasuredRun): ReadonlyMap<Transport, LatencyHistogram> {
  const old = kept.get(model);
  if (old?.version === model.version.histogram) return old.byTransport;
  const loops = new Map<Transport, LatencyHistogram[]>();
  for (const id of model.histograms.keys()) {
    const source = model.sources.get(id);
    if (source?.role !== 'client' || source.what !== 'loop') continue;
    const values = readLatency(model, id);
    if (values) loops.set(source.transport, [...(loops.get(source.transport) ?? []), values]);
  }
  const byTransport = new Map(
    [...loops].map(([transport, [first, ...more]]): [Transport, LatencyHistogram] => {
      if (more.length === 0) return [transport, first!];
      const sum = new LatencyHistogram();
      for (const one of [first!, ...more]) sum.add(one);
      return [transport, sum];
    }),
  );
  kept.set(model, { version: model.version.histogram, byTransport });
  return byTransport;
}
