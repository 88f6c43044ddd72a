/** Queues of an endpoint with many QPs at a moment: a strip for each kind of queue, with a column for each group of QPs. */
import type { RunModel } from '../run-model';
import { machineModel, type Machine, type MachinePart, type MachineProcess } from '../machine/machine';
import type { Ring } from '../machine/queue-fill';

/** QPs of an endpoint from which its queues are drawn as strips. */
export const MANY_QPS = 5;
/** Most columns of a strip. */
export const MOST_COLUMNS = 64;
/** Most QPs that are named because they differ. */
const MOST_NAMED = 4;

export const STRIP_QUEUES = ['SQ', 'RQ', 'CQ'] as const;
export type StripQueue = (typeof STRIP_QUEUES)[number];

export interface Column {
  /** Position of its first QP, and number of its QPs. */
  first: number;
  qps: number;
  /** Fill of the fullest queue of its QPs, from 0 to 1; null if no fill of the group is recorded. */
  fill: number | null;
  /** Some of its QPs are in ERR. */
  failed: boolean;
}

export interface Strip {
  queue: StripQueue;
  columns: readonly Column[];
}

/** A QP that differs from most. */
export interface OddQp {
  qpn: number | null;
  why: string;
}

export interface QpStrips {
  endpoint: string;
  qps: number;
  /** QPs of a column. */
  group: number;
  strips: readonly Strip[];
  /** State of most QPs; null if no state is recorded. */
  state: string | null;
  /** Number of QPs that are in this state, without a full queue. */
  alike: number;
  odd: readonly OddQp[];
  /** Number of QPs that differ and are not named. */
  oddMore: number;
  /** Number of regions, of which none is drawn. */
  regions: number;
}

/** Fill of a ring from 0 to 1; null if it is not recorded. A mean counts as the fill. */
export function shareOfRing(ring: Ring | undefined): number | null {
  if (!ring || ring.capacity === null || ring.fill.is === 'unknown') return null;
  return Math.min(1, ring.fill.count / ring.capacity);
}

function ringOf(
  qp: MachinePart,
  queue: StripQueue,
  byId: ReadonlyMap<string, MachinePart>,
): Ring | undefined {
  const owner = queue === 'CQ' ? byId.get(qp.sendCq ?? '') : qp;
  return owner?.rings.find((ring) => ring.queue === queue);
}

function mostCommon(states: readonly (string | null)[]): string | null {
  const counts = new Map<string | null, number>();
  for (const state of states) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

/** Fill of a queue in the samples of the device, from 0 to 1; null if they do not name it. */
type Sampled = (queue: StripQueue, number: number) => number | null;

const NEVER: Sampled = () => null;

/** Samples name the fullest queues of a kind, but of receive queues the emptiest: these say nothing about the fullest of a group. */
const namesFullest = (queue: StripQueue, group: number): boolean => queue !== 'RQ' || group === 1;

/** The queues of one endpoint. Goes over its objects once. */
export function stripsOf(
  { endpoint, parts }: Pick<MachineProcess, 'endpoint' | 'parts'>,
  sampled = NEVER,
): QpStrips | null {
  const qps = parts.filter(({ kind, gone }) => kind === 'QP' && !gone);
  if (qps.length < MANY_QPS) return null;
  const byId = new Map(parts.map((part) => [part.id, part]));
  const group = Math.ceil(qps.length / MOST_COLUMNS);
  const fills = STRIP_QUEUES.map((queue) =>
    qps.map((qp) => {
      const known = shareOfRing(ringOf(qp, queue, byId));
      const number = queue === 'CQ' ? byId.get(qp.sendCq ?? '')?.number : qp.number;
      if (known !== null || typeof number !== 'number' || !namesFullest(queue, group)) return known;
      return sampled(queue, number);
    }),
  );
  const strips = STRIP_QUEUES.map((queue, i): Strip => {
    const columns: Column[] = [];
    for (let first = 0; first < qps.length; first += group) {
      const end = Math.min(first + group, qps.length);
      let fill: number | null = null;
      let failed = false;
      for (let at = first; at < end; at++) {
        const own = fills[i]![at]!;
        if (own !== null) fill = Math.max(fill ?? 0, own);
        failed ||= qps[at]!.state === 'ERR';
      }
      columns.push({ first, qps: end - first, fill, failed });
    }
    return { queue, columns };
  });
  const state = mostCommon(qps.map((qp) => qp.state));
  const odd = qps.flatMap((qp, at): OddQp[] => {
    const why = [
      qp.state === state ? null : (qp.state ?? 'state not recorded'),
      fills[0]![at] === 1 ? 'SQ full' : null,
      fills[2]![at] === 1 ? 'CQ full' : null,
    ].filter((one) => one !== null);
    return why.length === 0 ? [] : [{ qpn: qp.number, why: why.join(', ') }];
  });
  return {
    ...{ endpoint, qps: qps.length, group, strips, state },
    alike: qps.length - odd.length,
    odd: odd.slice(0, MOST_NAMED),
    oddMore: Math.max(0, odd.length - MOST_NAMED),
    regions: parts.filter(({ kind, gone }) => kind === 'MR' && !gone).length,
  };
}

/** Queues of all endpoints of a machine with many QPs; empty if no endpoint has as many. */
export const stripsOfMachine = (run: RunModel, { at, hosts }: Machine): QpStrips[] =>
  hosts
    .flatMap(({ processes }) => processes)
    .flatMap((one) => {
      const sampled: Sampled = (kind, number) => {
        const fill = run.queues.at({ endpoint: one.endpoint, kind, number }, at);
        return fill.is === 'known' && fill.size > 0 ? Math.min(1, fill.used / fill.size) : null;
      };
      return stripsOf(one, sampled) ?? [];
    });

export const qpStripsAt = (run: RunModel, at: number): QpStrips[] =>
  stripsOfMachine(run, machineModel(run, at));
