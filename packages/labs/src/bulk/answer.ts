/** The answer to the lab's question, from the figures of a run. Pure functions. */
import { cpuPerGBTotal, transportLongName, type Spread, type TransportResult } from '@verbslab/protocol';
import { formatNumber } from '../base/format.js';
import type { Stat } from '../base/sweep.js';
import { compare, type Verdict } from '../base/verdict.js';
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

/** Goodput and CPU time of the three pairs of transports. */
const VERDICTS = 6;

type Compared = 'goodputGbps' | 'cpuSecondsPerGB';

/** Null where it was not measured. */
function statOf(of: Compared, result: TransportResult): Stat | null {
  const value =
    of === 'goodputGbps'
      ? result.goodputGbps
      : result.cpuSecondsPerGB && cpuPerGBTotal(result.cpuSecondsPerGB);
  if (value === null || value === undefined) return null;
  const { min, max } = result.spread?.[of] ?? { min: value, max: value };
  return { value, min, max, n: roundsOf(result) };
}

/** The verdict on the difference of two transports; null where one was not measured. */
export function verdictOf(of: Compared, a: TransportResult, b: TransportResult): Verdict | null {
  const [own, other] = [statOf(of, a), statOf(of, b)];
  return own && other && compare(own, other, VERDICTS);
}

/** The ranges of two transports where they overlap although the rounds are enough; else null. */
export function overlapping(
  of: Compared,
  a: TransportResult,
  b: TransportResult,
): readonly [Spread, Spread] | null {
  const [own, other] = [a.spread?.[of], b.spread?.[of]];
  return verdictOf(of, a, b) === 'unclear' && own && other ? [own, other] : null;
}

/**
 * Text behind a difference that this few rounds cannot show: ` in this one sample`, ` in 3 rounds, too few for a
 * verdict`.
 */
export function tooFewText(of: Compared, a: TransportResult, b: TransportResult): string | null {
  if (verdictOf(of, a, b) !== 'few') return null;
  const rounds = Math.min(roundsOf(a), roundsOf(b));
  return rounds > 1 ? ` in ${rounds} rounds, too few for a verdict` : ' in this one sample';
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

/** RDMA transports that moved data, and TCP for comparison; null where one side is missing. */
export function besideTcp(findings: Findings): { over: [Named, ...Named[]]; tcp: TransportResult } | null {
  const [first, ...others] = (['shm', 'rdma'] as const).flatMap((each) => moved(findings, each) ?? []);
  const tcp = moved(findings, 'tcp');
  return first && tcp ? { over: [first, ...others], tcp: tcp.result } : null;
}

/** The answer to the lab's question, the headline of a run's page: speed, then what bypassing the kernel saves. */
export function bulkAnswer(findings: Findings): string {
  const compared = besideTcp(findings);
  if (!compared) return alone(findings);
  const { over, tcp } = compared;
  return over.length === 1 ? one(over[0], tcp) : several(over, tcp);
}

/** The answer for one transport over RDMA beside TCP. */
const one = (over: Named, tcp: TransportResult): string =>
  [speedOf(over, tcp), saved(over, { name: 'TCP', result: tcp })].join(' ').trim();

function speedOf({ name, result }: Named, tcp: TransportResult): string {
  const rounds = roundsOf(result);
  const ranges = overlapping('goodputGbps', result, tcp);
  if (ranges)
    return `No clear difference in goodput: over ${rounds} rounds ${name} ranged from ${between(ranges[0])} Gb/s and TCP from ${between(ranges[1])} Gb/s.`;
  const fast = `${name} was ${times(result.goodputGbps / tcp.goodputGbps)} as fast`;
  return (
    `${name} moved ${gbps(result.goodputGbps)} and TCP ${gbps(tcp.goodputGbps)}: ` +
    `${fast}${tooFewText('goodputGbps', result, tcp) ?? ` (medians of ${rounds} rounds)`}.`
  );
}

/** The answer for several transports over RDMA: TCP, and the ratio of each transport to it. */
function several(over: readonly [Named, ...Named[]], tcp: TransportResult): string {
  const each = over.map(({ name, result }) => {
    const noise = overlapping('goodputGbps', result, tcp);
    const ratio = noise ? 'no clear difference' : times(result.goodputGbps / tcp.goodputGbps);
    return `${name} ${gbps(result.goodputGbps)} (${ratio})`;
  });
  const few = tooFewText('goodputGbps', over[0].result, tcp);
  const sample = few ?? `, medians of ${roundsOf(tcp)} rounds`;
  const [shm, rdma] = over;
  return [`TCP moved ${gbps(tcp.goodputGbps)}, ${each.join(' and ')}${sample}.`, rdma ? saved(shm, rdma) : '']
    .join(' ')
    .trim();
}

/** CPU time per GB, with its range where there are several rounds. */
const costText = (result: TransportResult, { value }: Stat): string =>
  `${formatNumber(value)} s${range(result, result.spread?.cpuSecondsPerGB)}`;

/** The CPU time that the first transport saves, as a sentence; empty where it was not measured. */
function saved({ name, result }: Named, other: Named): string {
  const [own, beside] = [statOf('cpuSecondsPerGB', result), statOf('cpuSecondsPerGB', other.result)];
  if (!own || !beside) return '';
  const bypasses = result.link === 'shm';
  const ranges = overlapping('cpuSecondsPerGB', result, other.result);
  if (ranges)
    return bypasses
      ? `Bypassing the kernel made no clear difference to the CPU time per GB: ${between(ranges[0])} s and ${between(ranges[1])} s.`
      : `No clear difference in CPU time per GB: ${between(ranges[0])} s over ${name} and ${between(ranges[1])} s over ${other.name}.`;
  const costs = [costText(result, own), costText(other.result, beside)];
  const few = tooFewText('cpuSecondsPerGB', result, other.result) ?? '';
  return bypasses
    ? `Bypassing the kernel took ${costs[0]} of CPU time per GB instead of ${costs[1]}${few}.`
    : `One GB took ${costs[0]} of CPU time over ${name} and ${costs[1]} over ${other.name}${few}.`;
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
