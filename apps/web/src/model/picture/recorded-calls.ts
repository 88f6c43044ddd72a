/** Verbs calls and asynchronous events of one end between two times. */
import type { RunEventOf } from '@verbslab/protocol';
import type { RunModel } from '../run-model';
import { partOf, type EndParts } from './recorded-end';
import type { CallEvent, RecordedEvent } from './recording';
import type { Side } from './state';

type Verb = RunEventOf<'verb'>;

/** Most calls of one end, and most of them that polled and found nothing. */
const CALLS = 60;
const EMPTY_POLLS = 2;

const POLL = 'ibv_poll_cq';
/** Arguments of a call as in C. The others are too many to show. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  ibv_post_send: 'qp, &wr, &bad',
  ibv_post_recv: 'qp, &wr, &bad',
  ibv_post_srq_recv: 'srq, &wr, &bad',
  ibv_get_async_event: 'ctx, &event',
  ibv_req_notify_cq: 'cq, 0',
  rdma_connect: 'id, &param',
  rdma_accept: 'id, &param',
  rdma_listen: 'id, backlog',
  rdma_get_cm_event: 'channel, &event',
};

function codeOf({ call, args }: Verb): string {
  if (call !== POLL) return `${call}(${ARGUMENTS[call] ?? '…'});`;
  const most = Number(args.num_entries ?? 1);
  return `${call}(cq, ${most}, ${most === 1 ? '&wc' : 'wc'});`;
}

function resultOf({ call, result, error }: Verb): string | null {
  if (error) {
    const errno = error.message.match(/\bE[A-Z]{2,}\b/)?.[0];
    return `→ ${errno ?? 'error'}`;
  }
  return call === POLL && typeof result === 'number' ? `→ ${result}` : null;
}

export const callEnd = ({ t, durationNs }: Verb): number | null => (durationNs > 0 ? t + durationNs : null);

/** True if the call names a queue of the QP. */
function concerns(end: EndParts, { endpoint, call, args }: Verb): boolean {
  if (endpoint !== end.endpoint) return false;
  if (call === 'ibv_get_async_event') return true;
  if (args.qp !== undefined) return args.qp === `QP ${end.qp.number}`;
  if (args.srq !== undefined) return args.srq === `SRQ ${partOf(end, end.qp.srq)?.number}`;
  return [end.qp.sendCq, end.qp.recvCq].some((id) => {
    const number = partOf(end, id)?.number;
    return number !== undefined && args.cq === `CQ ${number}`;
  });
}

export function callEvent(e: Verb, side: Side): CallEvent {
  return {
    ...{ kind: 'call', t: e.t, side, end: callEnd(e), call: e.call },
    ...{ code: codeOf(e), line: null, result: resultOf(e) },
  };
}

export function recordedCalls(
  run: RunModel,
  end: EndParts,
  side: Side,
  from: number,
  to: number,
): CallEvent[] {
  const calls = run.trace.filter(
    (e): e is Verb => e.kind === 'verb' && e.t >= from && e.t <= to && concerns(end, e),
  );
  let empty = 0;
  return calls
    .filter(({ call, result }) => call !== POLL || result !== 0 || ++empty <= EMPTY_POLLS)
    .slice(0, CALLS)
    .map((e) => callEvent(e, side));
}

/** The poll that found a completion. */
export function pollOf(run: RunModel, endpoint: string, polled: number): Verb | null {
  return (
    run.trace.findLast(
      (e): e is Verb =>
        e.kind === 'verb' &&
        e.call === POLL &&
        e.endpoint === endpoint &&
        e.t <= polled &&
        typeof e.result === 'number' &&
        e.result > 0,
    ) ?? null
  );
}

/** Transitions of the QP and asynchronous events about it. */
export function recordedChanges(
  run: RunModel,
  end: EndParts,
  side: Side,
  from: number,
  to: number,
): RecordedEvent[] {
  const within = (t: number): boolean => t > from && t <= to;
  const { qp } = end;
  const cq = partOf(end, qp.sendCq)?.number;
  const srq = partOf(end, qp.srq)?.number;
  return [
    ...qp.states.flatMap(({ t, state }): RecordedEvent[] =>
      within(t) ? [{ kind: 'state', t, side, state }] : [],
    ),
    ...run.trace.flatMap((e): RecordedEvent[] =>
      e.kind === 'async' &&
      e.endpoint === end.endpoint &&
      within(e.t) &&
      (e.qpn === qp.number || (e.cq !== undefined && e.cq === cq) || (e.srq !== undefined && e.srq === srq))
        ? [{ kind: 'async', t: e.t, side, event: e.event }]
        : [],
    ),
  ];
}
