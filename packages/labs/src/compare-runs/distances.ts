/** Meaning of the distance between the latencies of two runs, in words. */
import type { KsDistance } from '@verbslab/protocol';
import { formatCount, formatDigits, formatTime } from '../base/format.js';
import { fewText, furtherApart, repetitionsFor } from '../base/verdict.js';
import { letterOf } from './letters.js';

export interface LatencyDistance {
  /** Places of the two runs. */
  a: number;
  b: number;
  /** Name of the transport, with its link. */
  name: string;
  ks: KsDistance;
  /** The largest distance between two rounds of one and the same run; null where neither has several. */
  withinRuns: number | null;
  /** Rounds of each run that have latencies. */
  rounds: readonly [number, number];
}

/** Meaning and exactness of every distance. */
export const DISTANCE_MEANING =
  '0 means the same distribution, 1 that every operation of one run was faster than all of the other. It is computed from the recorded histograms: latencies in one slot of them, at most 0.1 % wide, count as equal.';

/** Two digits of a distance mean something. */
export const distanceText = (distance: number): string => distance.toFixed(2);

const share = (part: number): string => `${formatDigits(part * 100, 3)}\u00a0%`;

function verdict({ ks, withinRuns, rounds: [n, m] }: LatencyDistance, among: number): string {
  if (withinRuns === null)
    return 'Each run has one round, so it is not known how far two rounds of one run would be apart.';
  const rounds = `Two rounds of the same run are up to ${distanceText(withinRuns)} apart`;
  switch (furtherApart(ks.distance, withinRuns, [n, m], among)) {
    case 'few':
      return `${rounds}, but ${fewText(Math.min(n, m), repetitionsFor(among))}.`;
    case 'further':
      return `${rounds}, so the runs differ.`;
    case 'unclear':
      return `${rounds}: no clear difference.`;
  }
}

/** @param among distances that the page states */
export function distanceSentence(pair: LatencyDistance, among: number): string {
  const { name, ks } = pair;
  const [a, b] = [letterOf(pair.a), letterOf(pair.b)];
  const [n, m] = ks.n.map(formatCount);
  const where =
    ks.distance > 0
      ? ` ${share(ks.shares[0])} of the operations of ${a} took ${formatTime(ks.ns)} at most, and ${share(ks.shares[1])} of those of ${b}.`
      : '';
  return `${a} and ${b} over ${name}: distance ${distanceText(ks.distance)} (n = ${n} and ${m}).${where} ${verdict(pair, among)}`;
}
