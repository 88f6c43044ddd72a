import { JsHistogram } from 'hdr-histogram-js';
import { binOf, BINS, type LatencyValues } from './latency-view';
import type { HistogramFrames, RunModel } from './run-model';

/** Present at run time; the package's types declare it in a module that its entry does not export. */
const decode = (JsHistogram as unknown as { decode: (data: Uint8Array, bitBucketSize: 64) => JsHistogram })
  .decode;

interface Sum {
  histogram: JsHistogram;
  bins: Float64Array;
  min: number;
  max: number;
}

/**
 * Adds up the encoded interval histograms of a run, each once. In a file of its own: the decoder is loaded when a
 * latency view is first shown.
 */
const sums = new WeakMap<HistogramFrames, Sum>();
/** Loops whose own total has been read: late intervals would count twice. */
const closed = new WeakSet<HistogramFrames>();

export function readLatency(model: RunModel, source: number): LatencyValues | null {
  const frames = model.histograms.get(source);
  if (!frames) return null;
  if (frames.total) {
    sums.delete(frames);
    add(frames, frames.total);
    frames.total = null;
    frames.pending = [];
    closed.add(frames);
  } else if (!closed.has(frames)) {
    for (const encoded of frames.pending.splice(0)) add(frames, encoded);
  }
  const sum = sums.get(frames);
  return sum
    ? {
        total: sum.histogram.totalCount,
        min: sum.min,
        max: sum.max,
        bins: sum.bins,
        percentile: (share) => sum.histogram.getValueAtPercentile(share * 100),
      }
    : null;
}

/** Walks only what one interval recorded; the sum itself is never walked. */
function add(frames: HistogramFrames, encoded: Uint8Array): void {
  const h = decode(encoded, 64);
  if (h.totalCount === 0) return;
  let sum = sums.get(frames);
  if (!sum) {
    h.autoResize = true;
    sum = { histogram: h, bins: new Float64Array(BINS), min: Infinity, max: 0 };
    sums.set(frames, sum);
  } else {
    sum.histogram.add(h);
  }
  // The package's own iterator computes percentiles on the way and takes thirty times as long.
  const end = h.countsArrayIndex(h.maxValue);
  for (let i = 0; i <= end; i++) {
    const n = h.getCountAtIndex(i);
    if (n === 0) continue;
    const ns = h.highestEquivalentValue(h.valueFromIndex(i));
    sum.bins[binOf(ns)]! += n;
    sum.min = Math.min(sum.min, ns);
    sum.max = Math.max(sum.max, ns);
  }
}
