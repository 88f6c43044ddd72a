/** The answer to the lab's question, from the figures of a run. Pure functions. */
import { cpuPerGBTotal, overlap, type Spread, type TransportResult } from '@verbslab/protocol';
import { formatNumber } from '../format.js';
import type { Findings } from './findings.js';
import { nameOf, type BulkTransport } from './plan.js';

export const gbps = (value: number): string => `${formatNumber(value)} Gb/s`;

export const times = (ratio: number): string => `${formatNumber(ratio)}×`;

export const roundsOf = ({ rounds }: TransportResult): number => rounds?.length ?? 1;

/** ` (13.1 to 20.5)` where there are several rounds. */
function range(result: TransportResult, spread: Spread | null | undefined): string {
  return roundsOf(result) > 1 && spread
    ? ` (${formatNumber(spread.min)} to ${formatNumber(spread.max)})`
    : '';
}

const between = ({ min, max }: Spread): string => `${formatNumber(min)} to ${formatNumber(max)}`;

/** With one round there is no spread to compare, so nothing says that the difference is more than noise. */
export function differs(a: Spread | null | undefined, b: Spread | null | undefined): boolean {
  return !a || !b || !overlap(a, b);
}

interface Named {
  name: string;
  result: TransportResult;
}

/** A transport that moved data, as sentences call it; null where it did not. */
export function moved(findings: Findings, transport: BulkTransport): Named | null {
  const result = findings[transport];
  return result && result.goodputGbps > 0 ? { name: nameOf(transport, result.link), result } : null;
}

/** The answer to the lab's question in a few sentences. */
export function bulkAnswer(findings: Findings): string {
  const [rdma, shm, tcp] = (['rdma', 'shm', 'tcp'] as const).map((each) => moved(findings, each));
  const over = [rdma, shm].filter((one) => !!one);
  if (!tcp || over.length === 0) return alone(findings);
  return [
    ...over.map((one) => speedVerdict(one, tcp.result)),
    ...over.flatMap((one) => cpuVerdict(one, tcp.result)),
    ...(tcp.result.latencyUs && over.some(({ result }) => result.latencyUs)
      ? ['The latencies do not compare RDMA with TCP: their clocks stop at different events.']
      : []),
  ].join(' ');
}

function alone(findings: Findings): string {
  const sentences = (['rdma', 'shm', 'tcp'] as const).flatMap((transport) => {
    const only = findings[transport];
    if (!only) return [];
    const rounds = roundsOf(only);
    const speed = `${nameOf(transport, only.link)} moved ${gbps(only.goodputGbps)}`;
    return rounds > 1
      ? `${speed}${range(only, only.spread?.goodputGbps)}, the median of ${rounds} rounds.`
      : `${speed} in one round.`;
  });
  return sentences.length > 0 ? sentences.join(' ') : 'Nothing was measured.';
}

const MORE = 'To tell them apart, measure more rounds, or longer.';

function speedVerdict({ name, result }: Named, tcp: TransportResult): string {
  const rounds = roundsOf(result);
  const both = `${name} moved ${gbps(result.goodputGbps)} and TCP ${gbps(tcp.goodputGbps)}`;
  const ratio = times(result.goodputGbps / tcp.goodputGbps);
  const [own, other] = [result.spread?.goodputGbps, tcp.spread?.goodputGbps];
  if (rounds === 1) return `${both}: ${name} was ${ratio} as fast as TCP in this one sample.`;
  if (!own || !other || differs(own, other))
    return `${both} (medians of ${rounds} rounds): ${name} was ${ratio} as fast as TCP.`;
  return `No clear difference in goodput: over ${rounds} rounds ${name} ranged from ${between(own)} Gb/s and TCP from ${between(other)}, which overlap. ${MORE}`;
}

function cpuVerdict({ name, result }: Named, tcp: TransportResult): string[] {
  if (!result.cpuSecondsPerGB || !tcp.cpuSecondsPerGB) return [];
  const [cost, otherCost] = [cpuPerGBTotal(result.cpuSecondsPerGB), cpuPerGBTotal(tcp.cpuSecondsPerGB)];
  const took = `${name} took ${times(cost / otherCost)} TCP’s CPU time per GB, ${formatNumber(cost)} against ${formatNumber(otherCost)} s`;
  const [own, other] = [result.spread?.cpuSecondsPerGB, tcp.spread?.cpuSecondsPerGB];
  if (roundsOf(result) === 1) return [`${took}, in this one sample.`];
  if (!own || !other || differs(own, other)) return [`${took}, both ends together.`];
  return [
    `No clear difference in CPU time per GB: ${name} ranged from ${between(own)} s and TCP from ${between(other)}, which overlap.`,
  ];
}
