/** The machine of a run at a time: hosts, processes, and their verbs objects with queues. */
import {
  isFinal,
  isProgram,
  LOCAL_HOST,
  type Link,
  type ProviderClass,
  type QpState,
} from '@verbslab/protocol';
import type { RunModel } from '../run-model';
import { bookOf, type MachineBook } from './book';
import { completionRing, receiveRing, sendRing, sharedRing, type Moment, type Ring } from './queue-fill';
import { endRates, loopsOf, rateAt, type EndRate } from './loops';
import { samplesAt } from './sampled-fill';
import { isLive, peerGid, peerQpn, stateAt, type MachineObject } from './object';

export interface MachinePart extends MachineObject {
  /** Null for objects other than QPs, and if the record has no state. */
  state: QpState | null;
  rings: readonly Ring[];
  /** True if it was destroyed within the requested window. */
  gone: boolean;
  /** True if it was created within the window. */
  fresh: boolean;
  /** QP at the other end of a connected QP, if it is in this run. */
  peer: string | null;
}

export interface MachineProcess {
  endpoint: string;
  pid: number | null;
  device: string;
  providerClass: ProviderClass | null;
  /** Objects in the order of creation. */
  parts: readonly MachinePart[];
  /** Rates of its loops at the time, one per active transport. */
  rates: readonly EndRate[];
}

export interface MachineHost {
  name: string;
  processes: readonly MachineProcess[];
}

/** A connection between two processes, whose QPs are connected to each other. */
export interface MachineWire {
  ends: readonly [string, string];
  /** Number of RC and UC connections between them. */
  qps: number;
}

export interface Machine {
  /** Nanoseconds since the run was created. */
  at: number;
  hosts: readonly MachineHost[];
  wires: readonly MachineWire[];
  /** Links that carry the packets, as far as recorded. */
  links: readonly Link[];
}

export interface MachineTime {
  /** Time of the last item in the record. */
  end: number;
  /** Time to show of a finished run: its loops at work, or else the last time with the most objects. */
  telling: number;
}

/** Builds the machine at a time. Objects created or destroyed after `since` are marked as new or gone. */
export function machineModel(run: RunModel, at = Infinity, since = Infinity): Machine {
  const book = bookOf(run);
  const when = Math.min(at, endOf(run, book));
  const moment = momentOf(run, book, when);
  const shown = book.objects.filter(
    (one) => isLive(one, when) || (one.goneAt !== null && one.goneAt > since && one.madeAt <= when),
  );
  const peers = peersOf(run, shown);
  const ofCq = new Map<string, MachineObject[]>();
  for (const one of book.objects)
    for (const cq of new Set([one.sendCq, one.recvCq])) if (cq !== null) push(ofCq, cq, one);
  const byId = new Map(book.objects.map((one) => [one.id, one]));
  const processes = new Map<string, MachinePart[]>();
  for (const object of shown) {
    const part: MachinePart = {
      ...object,
      state: stateAt(object, when),
      rings: ringsOf(object, ofCq.get(object.id) ?? [], byId, moment),
      gone: !isLive(object, when),
      fresh: object.madeAt > since,
      peer: peers.get(object.id) ?? null,
    };
    push(processes, object.endpoint, part);
  }
  return {
    at: when,
    hosts: hostsOf(run, when, processes, moment),
    wires: wiresOf(shown, peers, byId),
    links: run.links,
  };
}

function push<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function momentOf(run: RunModel, book: MachineBook, at: number): Moment {
  return {
    at,
    book,
    lives: isProgram(run.record) ? livesOf(run) : null,
    loops: loopsOf(run)
      .filter(({ from }) => from <= at)
      .map((loop) => ({ ...loop, rate: rateAt(run, loop, at) })),
    samples: samplesAt(run, at),
  };
}

function livesOf(run: RunModel): 'all' | 'sample' | 'unfinished' {
  let posted = 0;
  for (const { latest } of run.counters.values()) posted += latest.posted_sends ?? 0;
  if (run.lives.length < run.livesSeen || run.livesSeen < posted) return 'sample';
  return isFinal(run.record.state) ? 'all' : 'unfinished';
}

function ringsOf(
  object: MachineObject,
  users: readonly MachineObject[],
  byId: ReadonlyMap<string, MachineObject>,
  moment: Moment,
): readonly Ring[] {
  if (object.kind === 'QP') return [sendRing(object, moment), receiveRing(object, moment)];
  if (object.kind === 'SRQ') return [sharedRing(object, moment)];
  if (object.kind !== 'CQ') return [];
  const srqs = new Set(users.flatMap((qp) => (qp.recvCq === object.id && qp.srq ? [qp.srq] : [])));
  return [
    completionRing(
      object,
      users,
      [...srqs].flatMap((id) => byId.get(id) ?? []),
      moment,
    ),
  ];
}

/** Peers of connected QPs: a QP names its peer by number and address. Processes of a host never share a QP number. */
function peersOf(run: RunModel, objects: readonly MachineObject[]): Map<string, string> {
  const byNumber = new Map<number, MachineObject[]>();
  for (const one of objects) if (one.kind === 'QP' && one.number !== null) push(byNumber, one.number, one);
  const peers = new Map<string, string>();
  for (const qp of objects) {
    const number = qp.kind === 'QP' ? peerQpn(qp) : null;
    if (number === null) continue;
    const found = byNumber.get(number) ?? [];
    // Among several QPs with that number, the peer is the one that names this QP in turn, at that address if it is
    // recorded.
    const peer =
      found.find((one) => peerQpn(one) === qp.number && hasGid(run, one.endpoint, peerGid(qp))) ??
      found.find((one) => peerQpn(one) === qp.number) ??
      (found.length === 1 ? found[0] : undefined);
    if (peer) peers.set(qp.id, peer.id);
  }
  return peers;
}

const hasGid = (run: RunModel, endpoint: string, gid: string | null): boolean =>
  gid !== null &&
  (run.gids.get(endpoint) === gid || (run.endpoints.get(endpoint)?.gids?.includes(gid) ?? false));

function wiresOf(
  objects: readonly MachineObject[],
  peers: ReadonlyMap<string, string>,
  byId: ReadonlyMap<string, MachineObject>,
): MachineWire[] {
  const wires = new Map<string, { ends: [string, string]; qps: number }>();
  const seen = new Set<string>();
  for (const { id, endpoint } of objects) {
    const peer = byId.get(peers.get(id) ?? '');
    const pair = [id, peer?.id].sort().join(' ');
    if (!peer || seen.has(pair)) continue;
    seen.add(pair);
    const ends: [string, string] = [endpoint, peer.endpoint].sort() as [string, string];
    const key = ends.join(' ');
    const wire = wires.get(key) ?? { ends, qps: 0 };
    wire.qps++;
    wires.set(key, wire);
  }
  return [...wires.values()];
}

function hostsOf(
  run: RunModel,
  at: number,
  parts: ReadonlyMap<string, readonly MachinePart[]>,
  { loops }: Moment,
): MachineHost[] {
  const hosts = new Map<string, MachineProcess[]>();
  const endpoints = new Set([...run.endpoints.keys(), ...parts.keys()]);
  const rates = endRates(
    run,
    loops.filter(({ to }) => at <= to),
  );
  for (const endpoint of endpoints) {
    const told = run.endpoints.get(endpoint);
    push(hosts, told?.host ?? LOCAL_HOST, {
      endpoint,
      pid: told?.pid ?? null,
      device: told?.device ?? '',
      providerClass: told?.providerClass ?? null,
      parts: parts.get(endpoint) ?? [],
      rates: rates.get(endpoint) ?? [],
    });
  }
  return [...hosts].map(([name, processes]) => ({ name, processes }));
}

function endOf(run: RunModel, { objects }: MachineBook): number {
  let end = run.trace.at(-1)?.t ?? 0;
  for (const { madeAt, goneAt, states } of objects)
    end = Math.max(end, madeAt, goneAt ?? 0, states.at(-1)?.t ?? 0);
  for (const series of run.series.values())
    if (series.columns.length > 0) end = Math.max(end, series.columns.at('t', series.columns.length - 1));
  for (const endpoint of run.queues.endpoints) end = Math.max(end, run.queues.latest(endpoint)!.t);
  for (const { polled, cqe } of run.lives.slice(-1)) end = Math.max(end, polled ?? cqe ?? 0);
  return end;
}

/** Last time of a run, and the time to show of it once it is over. */
export function machineTime(run: RunModel): MachineTime {
  const book = bookOf(run);
  const end = endOf(run, book);
  return { end, telling: atWork(run, book) ?? Math.min(fullest(book, end), end) };
}

/** The last time with the largest number of live objects. */
function fullest({ objects }: MachineBook, end: number): number {
  const changes = objects.flatMap(({ madeAt, goneAt }): [t: number, by: 1 | -1][] => [
    [madeAt, 1],
    ...(goneAt === null ? [] : [[goneAt, -1] as [number, -1]]),
  ]);
  changes.sort(([a, by], [b, other]) => a - b || other - by);
  let live = 0;
  let most = 0;
  let telling = end;
  changes.forEach(([, by], i) => {
    live += by;
    if (live < most) return;
    most = live;
    // The last moment before an object goes.
    telling = Math.max(0, (changes[i + 1]?.[0] ?? end + 1) - 1);
  });
  return telling;
}

/** Time in the middle of the first loop that measured something while a QP lived. */
function atWork(run: RunModel, { objects }: MachineBook): number | null {
  for (const loop of loopsOf(run)) {
    const columns = run.series.get(loop.source)?.columns;
    if (!columns || columns.length === 0 || loop.qpns.length === 0) continue;
    const middle = columns.length >> 1;
    const t = columns.at('t', middle);
    // The only sample of a short program may come after its end.
    const lives = objects.some((one) => one.kind === 'QP' && isLive(one, t));
    if (columns.at('messages', middle) > 0 && lives) return t;
  }
  return null;
}
