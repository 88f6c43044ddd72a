/** The recording of one work request of a run, or of a few that belong together. */
import type { Analysis } from '@verbslab/roce';
import { bookOf, receiveOf } from '../machine/book';
import { machineModel, type MachinePart } from '../machine/machine';
import { peerGid } from '../machine/object';
import type { Work } from '../machine/work';
import { messageOfWork, packetsOfMessage } from '../machine/work-message';
import type { RunModel } from '../run-model';
import { tellingWorks } from './choose-work';
import { connectRecording } from './connect-recording';
import { messageRecording } from './message-recording';
import { inOrder, shifted } from './recorded-order';
import { recordedCalls, recordedChanges } from './recorded-calls';
import { partOf, receiveQueueOf, recordedEnd, recordedIn, UNKNOWN_END, type EndParts } from './recorded-end';
import { recordedPackets, type MessageMemory } from './recorded-packets';
import {
  polledAt,
  postOf,
  qpnsOf,
  rangeAt,
  receiveEvents,
  regionWith,
  sendEvents,
  sideOf,
  type WorkAt,
} from './recorded-work';
import type { PacketEvent, RecordedEvent, RecordedRange, Recording } from './recording';
import { otherSide, type Side } from './state';
import { titleOf } from './words';

/** How long after its requests a recording still has events of its queue pairs, ns: a program reads them later. */
const AFTERWARDS_NS = 10e9;
const TAKES_RECV = /^SEND|WITH_IMM$/;
type Found = NonNullable<ReturnType<typeof messageOfWork>>;

/** A request with its message and the RECV that it takes, as far as recorded. */
interface Sent {
  work: Work;
  found: Found | null;
  recv: Work | null;
}

function endsOf(run: RunModel, work: Work, analysis: Analysis | null): [EndParts, EndParts | null] | null {
  const parts = machineModel(run, work.posted)
    .hosts.flatMap(({ processes }) => processes)
    .flatMap((one) => [...one.parts]);
  const of = (qp: MachinePart): EndParts => ({
    endpoint: qp.endpoint,
    qp,
    parts: parts.filter(({ endpoint }) => endpoint === qp.endpoint),
  });
  const qp = parts.find(
    ({ kind, endpoint, number }) => kind === 'QP' && endpoint === work.endpoint && number === work.qpn,
  );
  if (!qp) return null;
  const found = analysis && messageOfWork(run, qp, work, analysis);
  const to = found && analysis.rows[found.message.requests[0]!]!.destQp;
  const peer =
    parts.find(({ id }) => id === qp.peer) ??
    // A datagram names its QP in the packet, or in the call.
    parts.find(
      ({ kind, number, id }) => kind === 'QP' && id !== qp.id && number === (to ?? remoteQpn(run, work)),
    );
  return [of(qp), peer ? of(peer) : null];
}

function remoteQpn(run: RunModel, work: Work): number | null {
  const wr = postOf(run, work)?.args.wr;
  const one = Array.isArray(wr) ? wr[0] : wr;
  const qpn = typeof one === 'object' && one !== null && !Array.isArray(one) ? one.remote_qpn : null;
  return typeof qpn === 'number' ? qpn : null;
}

/** Requests of a QP before this one that took a RECV. */
const receivedBefore = (run: RunModel, qp: MachinePart, work: Work): number => {
  const all = bookOf(run).workOf(qp, 'SQ');
  const at = all.indexOf(work);
  // A request that stands still is the last one.
  return all
    .slice(0, at < 0 ? all.length : at)
    .filter(({ opcode, status }) => TAKES_RECV.test(opcode) && !status).length;
};

/** Packets of a request that stands still: the first ones show what happens, and the rest repeats it. */
const REPEATED = 12;

/** Time of the last packet that is shown of a request that stands still. */
function shownUntil({ work, found }: Sent, analysis: Analysis | null): number {
  if (work.psn === undefined || found === null || analysis === null) return work.posted;
  const packets = packetsOfMessage(found.message, analysis).slice(0, REPEATED);
  return Math.max(work.posted, ...packets.map((i) => analysis.rows[i]!.t));
}

/** First and last run time of the stretch. */
function stretchOf(
  run: RunModel,
  sent: readonly Sent[],
  ends: readonly (EndParts | null)[],
  analysis: Analysis | null,
): [from: number, to: number] {
  const works = sent.flatMap(({ work, recv }) => (recv ? [work, recv] : [work]));
  const from = Math.min(...works.map((one) => Math.min(postOf(run, one)?.t ?? one.posted, one.posted)));
  const last = sent.at(-1)!.work;
  const over = Math.max(
    ...works.map((one) => polledAt(run, one) ?? one.life?.acked ?? one.posted),
    ...sent.map((one) => shownUntil(one, analysis)),
  );
  const next = bookOf(run)
    .workOf(ends[0]!.qp, 'SQ')
    .find(({ posted }) => posted > last.posted);
  const gone = ends.map((end) => end?.qp.goneAt ?? Infinity);
  const until = Math.min(over + AFTERWARDS_NS, next?.posted ?? Infinity, ...gone);
  const later = ends.flatMap((end) =>
    end ? recordedChanges(run, end, 'client', from, Math.max(over, until)).map(({ t }) => t) : [],
  );
  return [from, Math.max(over, ...later)];
}

function memoryOfMessages(
  sent: readonly Sent[],
  ends: readonly [EndParts, EndParts | null],
  nameOf: (work: Work) => string,
): (message: number) => MessageMemory | null {
  const [own, peer] = ends;
  const byMessage = new Map(sent.flatMap((one) => (one.found ? [[one.found.message.id, one]] : [])));
  return (message) => {
    const one = byMessage.get(message);
    if (!one) return null;
    const { work, recv } = one;
    const buffer = recv && peer ? rangeAt(peer, recv.lkey, recv.localAddr) : null;
    const named = rangeAt(peer, work.rkey, work.remoteAddr);
    return {
      request: nameOf(work),
      to: work.opcode.startsWith('SEND') ? buffer : named,
      back: rangeAt(own, work.lkey, work.localAddr),
      provenBy: recv?.polled ?? null,
    };
  };
}

const touchedBy = (events: readonly RecordedEvent[]): Set<string> =>
  new Set(
    events.flatMap((e) => {
      const ranges: (RecordedRange | { region: string | null } | null)[] =
        e.kind === 'posted' ? [e.local, e.remote] : e.kind === 'packet' ? [e.into, e.reth] : [];
      return ranges.flatMap((one) => one?.region ?? []);
    }),
  );

/**
 * `choice`: requests of one QP, in the order of posting; `connect`: how the first connection of the connection manager
 * is made, if that is recorded; by default, the requests that tell most, or a message of a request that is not recorded.
 * Null if nothing can be drawn.
 */
export function recordingOf(
  run: RunModel,
  analysis: Analysis | null,
  choice?: readonly Work[] | 'connect',
): Recording | null {
  if (choice === 'connect') return connectRecording(run, analysis) ?? recordingOf(run, analysis);
  const works = choice ?? tellingWorks(run, analysis);
  const [first] = works;
  if (!first) return messageRecording(run, analysis) ?? connectRecording(run, analysis);
  const ends = endsOf(run, first, analysis);
  if (!ends) return null;
  const [own, peer] = ends;
  const side = sideOf(own.endpoint, peer);
  const names = new Map<Work, string>();
  const nameOf = (work: Work): string => {
    if (!names.has(work)) names.set(work, `r${names.size}`);
    return names.get(work)!;
  };
  const sent = works.map((work) => sentOf(run, work, ends, analysis));
  const [from, to] = stretchOf(run, sent, ends, analysis);
  const mtu = typeof own.qp.connection.path_mtu === 'number' ? own.qp.connection.path_mtu : null;
  const message = sent.find(({ found }) => found)?.found?.message;
  const packets: PacketEvent[] =
    analysis && message
      ? recordedPackets({
          ...{ run, analysis, connection: message.connection, from, to, mtu },
          clientEnd: side === 'client' ? message.from : message.from === 0 ? 1 : 0,
          qpns: qpnsOf(side, own, peer),
          memoryOf: memoryOfMessages(sent, ends, nameOf),
          regionAt: (at, key) => regionWith(at === side ? own : peer, key),
        })
      : [];
  const about = { run, nameOf, packets, to };
  const atOwn: WorkAt = { ...about, end: own, peer, side, overrunAt: overrunOf(run, own, from, to) };
  const events: RecordedEvent[] = [...packets];
  events.push(...workEvents(atOwn, sent, from));
  if (peer) {
    const overrunAt = overrunOf(run, peer, from, to);
    const atPeer: WorkAt = { ...about, end: peer, peer: own, side: otherSide(side), overrunAt };
    events.push(...workEvents(atPeer, sent, from));
  }
  const seen = new Map<EndParts, Side>([[own, side]]);
  if (peer) seen.set(peer, otherSide(side));
  for (const [end, at] of seen)
    events.push(...recordedCalls(run, end, at, from, to), ...recordedChanges(run, end, at, from, to));
  // A post alone has no story.
  if (events.every(({ kind }) => kind === 'call' || kind === 'posted')) return null;
  const touched = touchedBy(events);
  const endAt = (end: EndParts, gid: string | null): Recording['ends'][Side] =>
    recordedEnd({ run, end, at: from - 1, nameOf, gid }, touched);
  const gidOf = (end: EndParts | null): string | null => (end ? peerGid(end.qp) : null);
  const [poster, other] = [endAt(own, gidOf(peer)), peer ? endAt(peer, gidOf(own)) : UNKNOWN_END];
  return {
    title: titleOf(works),
    ...recordedIn(run, own, from),
    mtu,
    ends: side === 'client' ? { client: poster, server: other } : { client: other, server: poster },
    poster: side,
    requests: works.map(nameOf),
    events: shifted(inOrder(events.filter(({ t }) => t >= from)), from),
    withoutPackets: packets.length === 0,
    withoutStamps: works.every(({ life }) => life === null),
  };
}

/** A WRITE with immediate takes its RECV with its last packet. */
const takesAtEnd = ({ opcode }: Work): boolean => opcode.startsWith('RDMA_WRITE');

function overrunOf(run: RunModel, end: EndParts, from: number, to: number): number | null {
  const cq = partOf(end, end.qp.sendCq)?.number;
  const found = run.trace.find(
    (e) =>
      e.kind === 'async' &&
      e.event === 'CQ_ERR' &&
      e.endpoint === end.endpoint &&
      e.cq === cq &&
      e.t >= from &&
      e.t <= to,
  );
  return found?.t ?? null;
}

/** Most requests of a queue in the stretch. */
const MOST = 150;

/** Events of all requests that were in the queues of an end during the stretch. */
function workEvents(at: WorkAt, sent: readonly Sent[], from: number): RecordedEvent[] {
  const { run, end, to, packets, nameOf } = at;
  const book = bookOf(run);
  const during = (works: readonly Work[]): Work[] =>
    works
      .filter(({ posted, polled, done }) => posted <= to && (polled ?? done ?? Infinity) >= from)
      .slice(0, MOST);
  const receives = receiveQueueOf(end);
  const standing = sent.flatMap(({ work }) =>
    work.psn !== undefined && work.endpoint === end.endpoint && work.qpn === end.qp.number ? [work] : [],
  );
  const of = (recv: Work): readonly PacketEvent[] => {
    const one = sent.find((other) => other.recv === recv);
    const own = one ? packets.filter(({ request }) => request === nameOf(one.work)) : [];
    return one && takesAtEnd(one.work) ? own.slice(-1) : own;
  };
  return [
    ...during([...book.workOf(end.qp, 'SQ'), ...standing]).flatMap((work) => sendEvents(work, at)),
    ...during(book.workOf(receives, receives === end.qp ? 'RQ' : 'SRQ')).flatMap((recv) =>
      receiveEvents(recv, at, of(recv)),
    ),
  ];
}

function sentOf(
  run: RunModel,
  work: Work,
  [own, peer]: readonly [EndParts, EndParts | null],
  analysis: Analysis | null,
): Sent {
  const found = analysis ? messageOfWork(run, own.qp, work, analysis) : null;
  const takes = peer !== null && TAKES_RECV.test(work.opcode);
  const before = found?.received ?? receivedBefore(run, own.qp, work);
  const recv = takes && receiveQueueOf(peer) ? receiveOf(run, peer.qp, before) : null;
  return { work, found, recv };
}
