import type { Transport } from '@verbslab/protocol';
import type { Percentiles } from './latency-view.js';

/** A percentile of a curve, and how its line is dashed. A withheld one has no time and no line. */
export interface PercentileMark {
  which: (typeof MARKED)[number];
  ns: number | null;
  dash: string;
}

/** The percentiles that charts mark. */
export const MARKED = ['p50', 'p99', 'p999'] as const;

const DASHES: readonly (readonly [PercentileMark['which'], string])[] = [
  ['p50', ''],
  ['p99', '4 2'],
  ['p999', '1 2'],
];

export const percentileMarks = (curve: Pick<Percentiles, PercentileMark['which']>): PercentileMark[] =>
  DASHES.map(([which, dash]) => ({ which, ns: curve[which], dash }));

/** What a latency of each transport is the latency of. */
export const COUNTED: Readonly<Record<Transport, string>> = {
  rdma: 'signaled requests',
  shm: 'signaled requests',
  tcp: 'TCP messages',
  udp: 'UDP round trips',
};

/** The same, short, with the name of the transport. */
export const countedOf = (transport: Transport, name: string): string =>
  transport === 'rdma' || transport === 'shm' ? `${name} requests` : COUNTED[transport];
