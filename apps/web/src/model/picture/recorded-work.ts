/** Events of work requests: posted, fetched, completed, polled. */
import type { RunEventOf } from '@verbslab/protocol';
import { lookupWcStatus } from '@verbslab/protocol';
import type { RunModel } from '../run-model';
import type { Work } from '../machine/work';
import { addressOf, regionsOf, type EndParts, type NameOf } from './recorded-end';
import { callEnd, pollOf } from './recorded-calls';
import type { PacketEvent, RecordedEvent, RecordedRange } from './recording';
import { otherSide, type Side } from './state';

type Verb = RunEventOf<'verb'>;

export interface WorkAt {
  run: RunModel;
  end: EndParts;
  /** Null if the other end is not recorded. */
  peer: EndParts | null;
  side: Side;
  nameOf: NameOf;
  packets: readonly PacketEvent[];
  /** Time of a CQ_ERR event of its CQ; null if there was none. */
  overrunAt: number | null;
  /** Latest time of the recording. */
  to: number;
}

export function rangeAt(
  end: EndParts | null,
  key: number | null,
  address: number | null,
): RecordedRange | null {
  if (!end || key === null || address === null) return null;
  const region = regionsOf(end).find(
    ({ number, attrs }) => number === key || (typeof attrs.rkey === 'string' && Number(attrs.rkey) === key),
  );
  return region ? { region: region.id, offset: address - addressOf(region) } : null;
}

/**
 * When a poll returned its completion; null if none did: a queue that is reset or destroyed ends its requests without
 * one.
 */
export function polledAt(run: RunModel, work: Work): number | null {
  if (work.life?.polled) return work.life.polled;
  const { endpoint, wrId, polled } = work;
  const found = run.trace.some(
    (e) => e.kind === 'completion' && e.t === polled && e.endpoint === endpoint && e.wc.wrId === wrId,
  );
  return found ? polled : null;
}

/** The call that posted it; undefined for the request of a program, whose calls are not recorded. */
export const postOf = (run: RunModel, { seq, life }: Work): Verb | undefined =>
  seq === life?.seq ? undefined : run.trace.find((e): e is Verb => e.kind === 'verb' && e.seq === seq);

const isInline = (post: Verb | undefined, wrId: number): boolean => {
  const list = post ? (Array.isArray(post.args.wr) ? post.args.wr : [post.args.wr]) : [];
  return list.some((wr) => {
    if (typeof wr !== 'object' || wr === null || Array.isArray(wr) || wr.wr_id !== wrId) return false;
    return Array.isArray(wr.send_flags) && wr.send_flags.includes('INLINE');
  });
};

/** An event after `since` and by `t`; exactly at `t` if both are the same. */
const spanned = (since: number | null, t: number): { t: number; since?: number } =>
  since === null || since >= t ? { t } : { t, since };

function postedEvent(work: Work, { run, end, peer, side, nameOf, packets }: WorkAt): RecordedEvent {
  const post = postOf(run, work);
  const request = nameOf(work);
  const inline = isInline(post, work.wrId);
  const sent = packets.find((one) => one.request === request && one.side === side)?.sent ?? Infinity;
  // Without stamps, the request is in the queue when its first packet leaves or its call returns.
  const by = work.life ? work.posted : Math.min(sent, post ? (callEnd(post) ?? post.t) : work.posted);
  const receives = work.queue !== 'SQ';
  return {
    ...{ kind: 'posted', ...spanned(work.life ? null : (post?.t ?? null), by), side, request, inline },
    queue: receives ? 'rq' : 'sq',
    name: `${receives ? 'RECV' : 'WQE'}${Number.isNaN(work.wrId) ? '' : ` ${work.wrId}`}`,
    ...{ opcode: work.opcode, bytes: work.bytes, signaled: work.signaled },
    local: inline ? null : rangeAt(end, work.lkey, work.localAddr),
    remote: rangeAt(peer, work.rkey, work.remoteAddr),
  };
}

/** Completion of a request: written, and polled. */
function completionEvents(work: Work, at: WorkAt, since: number | null): RecordedEvent[] {
  const { run, end, side, nameOf, overrunAt, to } = at;
  const request = nameOf(work);
  const status = work.status ?? 0;
  const events: RecordedEvent[] = [];
  const polled = polledAt(run, work);
  const poll = polled === null ? null : pollOf(run, end.endpoint, polled);
  if (work.cqe !== null) events.push({ kind: 'cqe', t: work.cqe, side, request, status, full: false });
  else if (polled !== null && (work.signaled || status !== 0)) {
    const by = Math.min(polled, poll ? (callEnd(poll) ?? poll.t) : polled);
    events.push({ kind: 'cqe', ...spanned(since, by), side, request, status, full: false });
  } else if (work.signaled && overrunAt !== null) {
    const known = work.life?.acked ?? null;
    events.push({
      ...{ kind: 'cqe', ...spanned(known === null ? since : null, known ?? overrunAt) },
      ...{ side, request, status, full: true },
    });
  }
  if (polled !== null && polled <= to && (work.signaled || status !== 0))
    events.push({
      ...{ kind: 'polled', t: polled, side, request, status, name: lookupWcStatus(status).name },
      bytes: bytesOf(run, end, work),
    });
  return events;
}

/** `byte_len` of its completion. */
function bytesOf({ trace }: RunModel, { endpoint }: EndParts, work: Work): number | null {
  const found = trace.find(
    (e) =>
      e.kind === 'completion' &&
      e.endpoint === endpoint &&
      e.wc.wrId === work.wrId &&
      e.wc.qpn === work.qpn &&
      e.t >= work.polled! - 1,
  );
  return found?.kind === 'completion' ? found.wc.byteLen : null;
}

/** Events of a send request at its end. */
export function sendEvents(work: Work, at: WorkAt): RecordedEvent[] {
  const { side, nameOf, packets } = at;
  const request = nameOf(work);
  const own = packets.filter((one) => one.request === request && one.side === side);
  const answers = packets.filter((one) => one.side !== side && one.arrived !== null && !one.lost);
  const events = [postedEvent(work, at)];
  const posted = events[0]!.t;
  const fetched = work.life?.firstTx ?? own[0]?.sent ?? null;
  if (fetched !== null)
    events.push({ kind: 'fetched', ...spanned(posted, fetched), side, queue: 'sq', request });
  const last = own.at(-1);
  const answered = answers.find(
    ({ psn, from }) => last !== undefined && from >= last.from && (psn ?? -1) >= (last.psn ?? 0),
  );
  const since = answered?.arrived ?? last?.sent ?? posted;
  events.push(...completionEvents(work, at, since));
  const over = work.life?.cqe ?? work.life?.acked ?? polledAt(at.run, work);
  if (over !== null && over <= at.to) events.push({ kind: 'retired', t: over, side, queue: 'sq', request });
  return events;
}

/** Events of a RECV. `message`: the packets that it receives; empty if they are not known. */
export function receiveEvents(work: Work, at: WorkAt, message: readonly PacketEvent[]): RecordedEvent[] {
  const { side, nameOf } = at;
  const request = nameOf(work);
  const events = [postedEvent(work, at)];
  // A message that is longer than the buffer takes the RECV, too, and then fails.
  const failed = work.status !== null && work.status !== 0;
  const arrived = message.filter(
    ({ taken, proven, side: from }) => (taken || (failed && proven)) && from === otherSide(side),
  );
  const [first] = arrived;
  const last = arrived.at(-1);
  const posted = events[0]!.t;
  if (first)
    events.push({
      ...{ kind: 'fetched', side, queue: 'rq', request },
      ...spanned(first.arrived === null ? first.from : null, first.to),
    });
  else if (polledAt(at.run, work) !== null)
    events.push({ kind: 'fetched', side, queue: 'rq', request, ...spanned(posted, work.polled!) });
  events.push(...completionEvents(work, at, last ? (last.arrived ?? last.from) : posted));
  return events;
}

/** Numbers of both queue pairs. A peer that is gone has the number to which the poster was connected. */
export function qpnsOf(side: Side, own: EndParts, peer: EndParts | null): Record<Side, number | null> {
  const { dest_qp_num: named } = own.qp.connection;
  const [poster, other] = [own.qp.number, peer?.qp.number ?? (typeof named === 'number' ? named : null)];
  return side === 'client' ? { client: poster, server: other } : { client: other, server: poster };
}

/** Region with a key, and its address. */
export function regionWith(end: EndParts | null, key: number): { id: string; address: number } | null {
  const range = rangeAt(end, key, 0);
  return range ? { id: range.region, address: -range.offset } : null;
}

/** The client's side is that of the process with this name; else the poster is the client. */
export const sideOf = (endpoint: string, peer: EndParts | null): Side =>
  endpoint === 'server' || (peer?.endpoint === 'client' && endpoint !== 'client') ? 'server' : 'client';
