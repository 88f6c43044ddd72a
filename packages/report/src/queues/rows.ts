import { qpnText, type QueueSample, type SampledQueue } from '@verbslab/protocol';
import type { QueueHistory } from './history.js';

/** A queue of the latest sample that names it. */
export interface QueueRow extends SampledQueue {
  endpoint: string;
  /** `SQ 0x2397`, `CQ 1`. */
  name: string;
}

export const queueTitle = ({ kind, number }: Pick<SampledQueue, 'kind' | 'number'>): string =>
  `${kind} ${kind === 'SQ' || kind === 'RQ' ? qpnText(number) : number}`;

/** Since when nothing has moved in a queue. */
export const sinceText = ({ since }: Pick<SampledQueue, 'since'>): string =>
  since === undefined ? 'in use' : `last changed at ${(since / 1e9).toFixed(3)} s`;

const share = ({ used, size }: SampledQueue): number => (size === 0 ? 0 : used / size);

/** Rows of the queues that a process has, or had when it was last sampled with any: the fullest first. */
export function queueRows(
  history: QueueHistory,
  endpoint: string,
): {
  t: number;
  rows: QueueRow[];
  others: QueueSample['others'];
} | null {
  const last = history.latest(endpoint, { named: true });
  if (last === null) return null;
  const rows = last.sample.queues.map((queue) => ({ ...queue, endpoint, name: queueTitle(queue) }));
  return {
    t: last.t,
    rows: rows.toSorted((a, b) => share(b) - share(a)),
    others: last.sample.others,
  };
}
