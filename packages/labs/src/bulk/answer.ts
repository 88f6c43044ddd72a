/** The answer to the lab's question, from the figures of a run. Pure functions. */
import { overlap, transportLongName, type Spread, type TransportResult } from '@verbslab/protocol';
import { formatNumber } from '../format.js';
import type { Findings } from './findings.js';
import type { BulkTransport } from './plan.js';

export const gbps = (value: number): string => `${formatNumber(value)} Gb/s`;

export const times = (ratio: number): string => `${formatNumber(ratio)}×`;

export const roundsOf = ({ rounds }: TransportResult): number => rounds?.length ?? 1;

/** ` (13.1 to 20.5)` where there are several rounds. */
function range(result: TransportResult, spread: Spread | null | undefined): string {
  return roundsOf(result) > 1 && spread
    ? ` (${formatNumber(spread.min)} to ${formatNumber(spread.max)})`
    : '';
}

export const between = ({ min, max }: Spread): string => `${formatNumber(min)} to ${formatNumber(max)}`;

/**
 * The ranges of two transports over several rounds where they overlap, so that the difference may be noise; else null.
 * One round has no range, so nothing says whether its difference is more than noise.
 */
export function overlapping(
  of: 'goodputGbps' | 'cpuSecondsPerGB',
  a: TransportResult,
  b: TransportResult,
): readonly [Spread, Spread] | null {
  const [own, other] = [a.spread?.[of], b.spread?.[of]];
  return roundsOf(a) > 1 && own && other && overlap(own, other) ? [own, other] : null;
}

export interface Named {
  name: string;
  result: TransportResult;
}

/** A transport that moved data, as sentences call it; null where it did not. */
export function moved(findings: Findings, transport: BulkTransport): Named | null {
  const result = findings[transport];
  return result && result.goodputGbps > 0
    ? { name: transportLongName(transport, result.link), result }
    : null;
}

/** What moved data over RDMA, and TCP, which it is compared with; null where one side is missing. */
export function besideTcp(findings: Findings): { over: [Named, ...Named[]]; tcp: TransportResult } | null {
  const [first, ...others] = (['shm', 'rdma'] as const).flatMap((each) => moved(findings, each) ?? []);
  const tcp = moved(findings, 'tcp');
  return first && tcp ? { over: [first, ...others], tcp: tcp.result } : null;
}

/** The answer to the lab's question, the headline of a run's page: one sentence. */
export function bulkAnswer(findings: Findings): string {
  const compared = besideTcp(findings);
  if (!compared) return alone(findings);
  const { over, tcp } = compared;
  return over.length === 1 ? one(over[0], tcp) : several(over, tcp);
}

/** One transport over RDMA, and TCP. */
function one({ name, result }: Named, tcp: TransportResult): string {
  const rounds = roundsOf(result);
  const ranges = overlapping('goodputGbps', result, tcp);
  if (ranges)
    return `No clear difference in goodput: over ${rounds} rounds ${name} ranged from ${between(ranges[0])} Gb/s and TCP from ${between(ranges[1])} Gb/s.`;
  const fast = `${name} was ${times(result.goodputGbps / tcp.goodputGbps)} as fast`;
  return (
    `${name} moved ${gbps(result.goodputGbps)} and TCP ${gbps(tcp.goodputGbps)}: ` +
    (rounds > 1 ? `${fast} (medians of ${rounds} rounds).` : `${fast} in this one sample.`)
  );
}

/** TCP, and what each transport over RDMA is of it. */
function several(over: readonly Named[], tcp: TransportResult): string {
  const each = over.map(({ name, result }) => {
    const noise = overlapping('goodputGbps', result, tcp);
    const ratio = noise ? 'no clear difference' : times(result.goodputGbps / tcp.goodputGbps);
    return `${name} ${gbps(result.goodputGbps)} (${ratio})`;
  });
  const rounds = roundsOf(tcp);
  const sample = rounds > 1 ? `, medians of ${rounds} rounds.` : ' in this one sample.';
  return `TCP moved ${gbps(tcp.goodputGbps)}, ${each.join(' and ')}${sample}`;
}

function alone(findings: Findings): string {
  const sentences = (['rdma', 'shm', 'tcp'] as const).flatMap((transport) => {
    const only = findings[transport];
    if (!only) return [];
    const rounds = roundsOf(only);
    const speed = `${transportLongName(transport, only.link)} moved ${gbps(only.goodputGbps)}`;
    return rounds > 1
      ? `${speed}${range(only, only.spread?.goodputGbps)}, the median of ${rounds} rounds.`
      : `${speed} in one round.`;
  });
  return sentences.length > 0 ? sentences.join(' ') : 'Nothing was measured.';
}
