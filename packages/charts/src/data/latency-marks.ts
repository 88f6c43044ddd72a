import type { Transport } from '@verbslab/protocol';
import type { Percentiles } from './latency-view.js';

/** A percentile of a curve, and the dashes of its line. A withheld percentile has no time and no line. */
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

/** Operations that a latency of each transport measures. */
export const COUNTED: Readonly<Record<Transport, string>> = {
  rdma: 'signaled requests',
  shm: 'signaled requests',
  tcp: 'TCP messages',
  udp: 'UDP round trips',
};

/** The operations of a transport in short, with its name. */
export const countedOf = (transport: Transport, name: string): string =>
  transport === 'rdma' || transport === 'shm' ? `${name} requests` : COUNTED[transport];
