/** Latency summaries: percentiles, histograms and means. Pure functions. */
import {
  LatencyHistogram,
  samplesFor,
  type Distribution,
  type EndpointLoopResult,
  type LatencyUs,
} from '@verbslab/protocol';
import { SHARES } from './distribution.js';

export interface Summary {
  /** Mean, µs. */
  mean: number;
  us: LatencyUs;
  /** Percentiles: one message in `x` is slower than `y` µs. */
  percentiles: { x: number; y: number }[];
  /** Messages by latency: `y` took from `x` µs up to √2 times that. */
  slots: { x: number; y: number }[];
  /** `y` messages took at most `x` µs, in steps of at most 1 %. */
  cumulative: { x: number; y: number }[];
  /** Messages that took at least `us` µs. */
  atLeast: (us: number) => number;
}

/** Slots in which messages are counted: two for each doubling. Slot 0 begins at `bound`. */
const slotOf = (us: number, bound: number): number => Math.floor(2 * Math.log2(us / bound));

/** Latencies within 1 % of each other are one step. A step ends at the longest of them, so that its count is exact. */
const steps = (distribution: Distribution): { x: number; y: number }[] => {
  const ends: { x: number; y: number }[] = [];
  let [first, count] = [0, 0];
  for (const [ns, more] of distribution) {
    count += more;
    const end = { x: ns / 1000, y: count };
    if (ends.length > 0 && ns <= 1.01 * first) ends[ends.length - 1] = end;
    else {
      ends.push(end);
      first = ns;
    }
  }
  return ends;
};

/**
 * Summary of all loops together; null where nothing was timed.
 * @param bound latency at which one of the slots begins, µs
 */
export function summaryOf(loops: readonly EndpointLoopResult[], bound = 1): Summary | null {
  const histogram = new LatencyHistogram();
  let sum = 0;
  for (const { latency } of loops) {
    histogram.add(LatencyHistogram.of(latency.distribution ?? []));
    sum += latency.meanNs * latency.count;
  }
  const us = histogram.us();
  if (!us) return null;
  const counts = new Map<number, number>();
  for (const [ns, count] of histogram.distribution) {
    const slot = slotOf(ns / 1000, bound);
    counts.set(slot, (counts.get(slot) ?? 0) + count);
  }
  return {
    mean: sum / histogram.count / 1000,
    us,
    percentiles: SHARES.filter((share) => share >= 0.5 && histogram.count >= samplesFor(share)).map(
      (share) => ({
        x: Number((1 / (1 - share)).toPrecision(6)),
        y: histogram.valueAt(share) / 1000,
      }),
    ),
    cumulative: steps(histogram.distribution),
    slots: [...counts].sort(([a], [b]) => a - b).map(([slot, y]) => ({ x: bound * 2 ** (slot / 2), y })),
    atLeast: (least) =>
      histogram.distribution.reduce((sum, [ns, count]) => sum + (ns >= least * 1000 ? count : 0), 0),
  };
}

/** Mean when `part` of the messages takes `delay` longer. All in one unit. */
export const meanWithSpikes = (mean: number, part: number, delay: number): number => mean + part * delay;
