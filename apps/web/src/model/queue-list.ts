/** Queues of a run as the page lists them: what the device's latest sample says, and queues of which it says nothing. */
import { isFinal, type PolicyState, type QueueKind } from '@verbslab/protocol';
import { queueRows, queueTitle, type QueueFillAt } from '@verbslab/report/queues';
import { bookOf } from './machine/book';
import { capacityOf, isLive } from './machine/object';
import type { RunModel } from './run-model';

/** Most queues that are listed. */
const LISTED = 24;

export interface ListedQueue {
  key: string;
  endpoint: string;
  kind: QueueKind;
  number: number;
  name: string;
  /** Null if the call that created it did not tell. */
  size: number | null;
  fill: QueueFillAt | { is: 'unknown'; why: 'provider' };
  /** Requests in it wait, and nothing has moved for a second. */
  waits: boolean;
  /** The policy of the QP of an SQ, if it is not the default. */
  policy: PolicyState | null;
}

export interface QueueList {
  rows: readonly ListedQueue[];
  /** Queues that are not listed. */
  more: number;
  /** Queues that the latest samples do not name, summed up by kind. */
  grouped: readonly { kind: QueueKind; queues: number; used: number; size: number }[];
  /** Time of the latest sample that names a queue, ns; null without one. */
  sampled: number | null;
  /** True if all sampled queues were destroyed since. */
  over: boolean;
}

const WAITS_NS = 1e9;

/** The fullest first, in quarters, so that rows do not change their places with every sample. */
const rank = ({ fill, size }: ListedQueue): number => {
  if (fill.is !== 'known' || size === null || size === 0) return -1;
  return fill.used === 0 ? 0 : 1 + Math.floor((4 * fill.used) / size);
};

const policyOf = (
  { policies }: RunModel,
  endpoint: string,
  kind: QueueKind,
  number: number,
): PolicyState | null => (kind === 'SQ' ? (policies.track(endpoint, number)?.last ?? null) : null);

/** Live queues of which no sample has told anything. */
function unsampled(model: RunModel, known: ReadonlySet<string>): ListedQueue[] {
  return bookOf(model).objects.flatMap((object): ListedQueue[] => {
    const { endpoint, kind: of, number, srq } = object;
    if (number === null || !isLive(object, Infinity)) return [];
    const kinds: QueueKind[] =
      of === 'QP'
        ? srq === null
          ? ['SQ', 'RQ']
          : ['SQ']
        : of === 'CQ'
          ? ['CQ']
          : of === 'SRQ'
            ? ['SRQ']
            : [];
    const provider = model.endpoints.get(endpoint)?.providerClass;
    const foreign = provider !== undefined && provider !== 'user-space';
    const left = model.queues.latest(endpoint)?.sample.others ?? [];
    return kinds.flatMap((kind): ListedQueue[] => {
      const key = `${endpoint} ${kind} ${number}`;
      if (known.has(key)) return [];
      const size = capacityOf(object, kind);
      const why = foreign ? 'provider' : left.some((one) => one.kind === kind) ? 'left-out' : 'before';
      return [
        {
          key,
          endpoint,
          kind,
          number,
          name: queueTitle({ kind, number }),
          size,
          fill: { is: 'unknown', why },
          waits: false,
          policy: policyOf(model, endpoint, kind, number),
        },
      ];
    });
  });
}

/** The queues of a run: now, or as they were last sampled. */
export function queueList(model: RunModel): QueueList {
  const rows: ListedQueue[] = [];
  let sampled: number | null = null;
  let over = true;
  const grouped = new Map<QueueKind, { kind: QueueKind; queues: number; used: number; size: number }>();
  const now = model.stills.latest;
  for (const endpoint of model.queues.endpoints) {
    const last = queueRows(model.queues, endpoint);
    if (last === null) continue;
    const gone = model.queues.latest(endpoint)!.sample.queues.length === 0;
    // Queues that a process has destroyed are shown once all are: another process may go on.
    over &&= gone;
    sampled = Math.max(sampled ?? 0, last.t);
    for (const { kind, queues, used, size } of last.others) {
      const sum = grouped.get(kind) ?? { kind, queues: 0, used: 0, size: 0 };
      grouped.set(kind, {
        kind,
        queues: sum.queues + queues,
        used: sum.used + used,
        size: sum.size + size,
      });
    }
    for (const { kind, number, name, size, used, queued, since } of last.rows)
      rows.push({
        ...{ key: `${endpoint} ${kind} ${number}`, endpoint, kind, number, name, size },
        fill: {
          ...{ is: 'known', t: last.t, kind, number, used, size },
          ...(queued === undefined ? {} : { queued }),
          ...(since === undefined ? {} : { since }),
        },
        waits: !gone && (queued ?? 0) > 0 && since !== undefined && now - since >= WAITS_NS,
        policy: policyOf(model, endpoint, kind, number),
      });
  }
  const all = [
    ...rows.toSorted((a, b) => Number(b.waits) - Number(a.waits) || rank(b) - rank(a)),
    ...(isFinal(model.record.state) ? [] : unsampled(model, new Set(rows.map(({ key }) => key)))),
  ];
  return {
    rows: all.slice(0, LISTED),
    more: Math.max(0, all.length - LISTED),
    grouped: [...grouped.values()],
    sampled,
    over: over && rows.length > 0,
  };
}

/** Reason why the occupancy of a queue is unknown. */
export const UNKNOWN_FILL = {
  provider: 'This provider does not report the occupancy of its queues.',
  before: 'This queue was in no sample yet.',
  'left-out': 'Not among the 16 of its kind that a sample names.',
  gone: 'The queue was destroyed.',
} as const;
