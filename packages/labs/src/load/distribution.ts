/** Points of the chart, from the loops’ histograms. Pure functions. */
import { LatencyHistogram, samplesFor, type EndpointLoopResult, type LatencyUs } from '@verbslab/protocol';
import type { PingPong } from './ping.js';
import { statOf, type Stat } from '../base/sweep.js';

/** Shares of the round trips that are not slower than a point of the chart. */
export const SHARES = [0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999, 0.9999];

/** `x`: one in `x` round trips is slower, 1 / (1 − share). Times are in µs. */
export interface CurvePoint {
  x: number;
  y: number;
  /** Range over the rounds, where each has enough samples by itself. */
  min?: number;
  max?: number;
}

export interface Distribution {
  us: LatencyUs;
  /** Medians of the rounds, µs. */
  median: Stat;
  points: CurvePoint[];
}

const histogramOf = ({ latency }: EndpointLoopResult): LatencyHistogram =>
  LatencyHistogram.of(latency.distribution ?? []);

/** All rounds of a way together; null where nothing was timed. */
export function distributionOf(rounds: readonly PingPong[]): Distribution | null {
  const each = rounds.map(({ client }) => histogramOf(client)).filter(({ count }) => count > 0);
  const all = new LatencyHistogram();
  for (const one of each) all.add(one);
  const us = all.us();
  if (!us) return null;
  return {
    us,
    median: statOf(each.map((one) => one.valueAt(0.5) / 1000)),
    points: SHARES.filter((share) => all.count >= samplesFor(share)).map((share) => {
      const stated = each.every(({ count }) => count >= samplesFor(share));
      const { min, max } = statOf(each.map((one) => one.valueAt(share) / 1000));
      return {
        x: Number((1 / (1 - share)).toPrecision(6)),
        y: all.valueAt(share) / 1000,
        ...(stated && each.length > 1 ? { min, max } : {}),
      };
    }),
  };
}

/** A slot of the histogram is half as wide, relative to its values. */
const SLOT = 2e-3;

/**
 * The reason why a distribution does not fit the counts of its loop, else null: samples are messages, none lies outside
 * of the shortest and the longest, and their mean is the loop’s.
 */
export function misfit(client: EndpointLoopResult): string | null {
  const { latency, messages } = client;
  const histogram = histogramOf(client);
  if (histogram.count !== messages || latency.count !== messages)
    return `${histogram.count} round trips are in the distribution and ${latency.count} in the loop’s figures, but ${messages} were made`;
  if (messages === 0) return 'no round trip was made';
  const slack = (ns: number): number => ns * SLOT + 1;
  if (Math.abs(histogram.min - latency.minNs) > slack(latency.minNs))
    return `the shortest is ${histogram.min} ns in the distribution, but the loop recorded ${latency.minNs} ns`;
  if (Math.abs(histogram.max - latency.maxNs) > slack(latency.maxNs))
    return `the longest is ${histogram.max} ns in the distribution, but the loop recorded ${latency.maxNs} ns`;
  const mean = histogram.distribution.reduce((sum, [ns, count]) => sum + ns * count, 0) / messages;
  if (Math.abs(mean - latency.meanNs) > slack(latency.meanNs))
    return `the mean is ${mean} ns in the distribution, but the loop recorded ${latency.meanNs} ns`;
  return null;
}

/** The slots come from the shortest to the longest, each once and with samples in it: what percentiles are read from. */
export const rises = ({ latency: { distribution = [] } }: EndpointLoopResult): boolean =>
  distribution.every(([ns, count], i) => count > 0 && ns > (distribution[i - 1]?.[0] ?? -1));
