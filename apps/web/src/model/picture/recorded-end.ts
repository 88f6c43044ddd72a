/** An end of a recording: its addresses, regions and queues. */
import { bookOf } from '../machine/book';
import { machineModel, type MachinePart } from '../machine/machine';
import type { QueueName } from '../machine/object';
import type { Ring } from '../machine/queue-fill';
import type { Work } from '../machine/work';
import type { RunModel } from '../run-model';
import type { RecordedEnd, RecordedQueue, RecordedRegion, Recording } from './recording';
import type { QueueKind } from './state';

/** Objects of one end, as they were when the request was posted. */
export interface EndParts {
  endpoint: string;
  parts: readonly MachinePart[];
  qp: MachinePart;
}

const NAMES: Readonly<Record<string, string>> = { client: 'Client', server: 'Server' };

const titleOf = (endpoint: string): string =>
  NAMES[endpoint] ?? endpoint.replace(/^./, (letter) => letter.toUpperCase());

/** IP address in a GID. */
const addressText = (gid: string | null | undefined): string | null => gid?.replace(/^::ffff:/, '') ?? null;

const textAttr = ({ attrs }: MachinePart, name: string): string | null => {
  const value = attrs[name];
  return typeof value === 'string' ? value : null;
};

export const partOf = ({ parts }: EndParts, id: string | null): MachinePart | undefined =>
  id === null ? undefined : parts.find((one) => one.id === id);

export const regionsOf = ({ parts }: EndParts): readonly MachinePart[] =>
  parts.filter(({ kind }) => kind === 'MR');

export const addressOf = (region: MachinePart): number => Number(region.attrs.addr);

/** The shared queue of a QP that has one, else its own. */
export const receiveQueueOf = (end: EndParts): MachinePart => partOf(end, end.qp.srq) ?? end.qp;

function regionOf(part: MachinePart): RecordedRegion {
  const { access, length } = part.attrs;
  return {
    id: part.id,
    lkey: textAttr(part, 'lkey'),
    rkey: textAttr(part, 'rkey'),
    access: Array.isArray(access) ? access.map(String) : [],
    address: textAttr(part, 'addr'),
    length: Number(length ?? 0),
  };
}

/** Names requests: requests of a queue have one name in all events. */
export type NameOf = (work: Work) => string;

/** Requests that were in a queue at a time, oldest first. */
const heldIn = (works: readonly Work[], at: number): Work[] =>
  works.filter(({ posted, done }) => posted <= at && (done === null || done > at));

interface QueueAt {
  run: RunModel;
  end: EndParts;
  /** The last moment before the recording. */
  at: number;
  nameOf: NameOf;
  /** GID that the other end names; null if it names none. */
  gid: string | null;
}

function queueOf(
  ring: Ring | undefined,
  capacity: number | null,
  works: readonly Work[],
  { at, nameOf }: QueueAt,
): RecordedQueue {
  // A queue that did not exist yet is empty.
  const known = ring === undefined || ring.fill.is === 'exact';
  if (!known) return { capacity, before: null, holds: null };
  return {
    capacity,
    before: works.filter(({ posted }) => posted <= at).length,
    holds: ring === undefined ? [] : heldIn(works, at).map(nameOf),
  };
}

/** Requests whose completions go to a CQ. */
export function worksOfCq(run: RunModel, cq: string): Work[] {
  const book = bookOf(run);
  return book.objects
    .filter(({ kind }) => kind === 'QP')
    .flatMap((qp) => [
      ...(qp.sendCq === cq ? book.workOf(qp, 'SQ').filter(({ signaled, status }) => signaled || status) : []),
      ...(qp.recvCq === cq ? book.workOf(qp, 'RQ') : []),
    ]);
}

function completionQueue({ run, end, at, nameOf }: QueueAt, ring: Ring | undefined): RecordedQueue | null {
  const cq = partOf(end, end.qp.sendCq);
  if (!cq) return null;
  const capacity = cq.rings[0]?.capacity ?? null;
  if (ring && ring.fill.is !== 'exact') return { capacity, before: null, holds: null };
  const written = worksOfCq(run, cq.id).filter(({ cqe, polled }) => (cqe ?? polled ?? Infinity) <= at);
  return {
    capacity,
    before: written.length,
    holds: written.filter(({ polled }) => polled === null || polled > at).map(nameOf),
  };
}

function queuesOf(where: QueueAt): RecordedEnd['queues'] {
  const { run, end, at } = where;
  const book = bookOf(run);
  const before = machineModel(run, at)
    .hosts.flatMap(({ processes }) => processes)
    .flatMap(({ parts }) => parts);
  const ringAt = (id: string | null, name: QueueName): Ring | undefined =>
    before.find((one) => one.id === id)?.rings.find(({ queue }) => queue === name);
  const own = (name: QueueName): number | null =>
    end.qp.rings.find(({ queue }) => queue === name)?.capacity ?? null;
  const shared = partOf(end, end.qp.srq);
  const cq = completionQueue(where, ringAt(end.qp.sendCq, 'CQ'));
  const rq = shared
    ? {
        ...queueOf(
          ringAt(shared.id, 'SRQ'),
          shared.rings[0]?.capacity ?? null,
          book.workOf(shared, 'SRQ'),
          where,
        ),
        sharedBy: end.parts.filter(({ kind, srq }) => kind === 'QP' && srq === shared.id).length,
      }
    : queueOf(ringAt(end.qp.id, 'RQ'), own('RQ'), book.workOf(end.qp, 'RQ'), where);
  return {
    sq: queueOf(ringAt(end.qp.id, 'SQ'), own('SQ'), book.workOf(end.qp, 'SQ'), where),
    rq,
    ...(cq ? { cq } : {}),
  } satisfies Partial<Record<QueueKind, RecordedQueue>>;
}

/** The run of a recording that starts at `from` (ns), and how the QP of its poster is connected. */
export function recordedIn(
  run: RunModel,
  own: Pick<EndParts, 'endpoint'> & { qp: MachinePart | null },
  from: number,
): Pick<Recording, 'run' | 'startsAt' | 'provider' | 'link' | 'transport'> {
  const { id, number, lab, createdAt } = run.record;
  return {
    run: { id, number, lab, at: new Date(createdAt).toISOString() },
    startsAt: from,
    provider: run.endpoints.get(own.endpoint)?.providerClass ?? null,
    link: run.links.length === 1 ? run.links[0]! : null,
    transport: own.qp ? textAttr(own.qp, 'type') : null,
  };
}

/** `touched`: regions that events name. */
export function recordedEnd(where: QueueAt, touched: ReadonlySet<string>): RecordedEnd {
  const { run, end, at } = where;
  const { endpoint, qp } = end;
  const regions = regionsOf(end);
  const gid = run.gids.get(endpoint) ?? where.gid ?? run.endpoints.get(endpoint)?.gids?.[0] ?? null;
  const shown = regions.filter(({ id }) => touched.has(id));
  return {
    title: titleOf(endpoint),
    address: addressText(gid),
    device: run.endpoints.get(endpoint)?.device ?? null,
    qpn: qp.number === null ? null : `0x${qp.number.toString(16)}`,
    state: qp.states.findLast(({ t }) => t <= at)?.state ?? null,
    queues: queuesOf(where),
    regions: shown.map(regionOf),
    moreRegions: regions.length - shown.length,
  };
}

/** An end that has no QP yet, or no longer. */
export function endWithoutQp(run: RunModel, endpoint: string, parts: readonly MachinePart[]): RecordedEnd {
  const regions = parts.filter(({ kind }) => kind === 'MR');
  return {
    ...UNKNOWN_END,
    title: titleOf(endpoint),
    address: addressText(run.gids.get(endpoint) ?? run.endpoints.get(endpoint)?.gids?.[0]),
    device: run.endpoints.get(endpoint)?.device ?? null,
    regions: regions.slice(-1).map(regionOf),
    moreRegions: Math.max(0, regions.length - 1),
  };
}

/** An end of which nothing is recorded. */
export const UNKNOWN_END: RecordedEnd = {
  ...{ title: 'Peer', address: null, device: null, qpn: null, state: null },
  ...{ queues: {}, regions: [], moreRegions: 0 },
};
