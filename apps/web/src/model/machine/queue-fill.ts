/** Fill level of a queue at a time, as far as recorded. Nothing is guessed: an unknown level has a reason. */
import type { MachineBook } from './book';
import type { Loop, Rate } from './loops';
import { capacityOf, stateAt, type MachineObject, type QueueName } from './object';
import { withSamples, type Samples } from './sampled-fill';
import type { Work } from './work';

export type Fill =
  /**
   * `calls`: until the poll that found the completion; `stamps`: until the device wrote it; `device`: its latest
   * sample.
   */
  | { is: 'exact'; count: number; basis: 'calls' | 'stamps' | 'state' | 'device' }
  | { is: 'mean'; count: number }
  | { is: 'atMost'; count: number }
  | { is: 'unknown'; why: Unknown };

export type Unknown =
  | 'loop'
  | 'loops'
  | 'no-posts'
  | 'sampled'
  | 'unfinished'
  | 'receives'
  | 'no-time'
  | 'shared'
  | 'before'
  | 'left-out'
  | 'provider';

export interface Ring {
  queue: QueueName;
  /** Null if the call that created it did not tell. */
  capacity: number | null;
  fill: Fill;
}

/** Data for the rings at a moment. */
export interface Moment {
  at: number;
  book: MachineBook;
  /** Share of a program's sends that have a timeline, which is recorded when a send is over. Null for a lab. */
  lives: 'all' | 'sample' | 'unfinished' | null;
  /** Loops of the endpoints that are active at the time or have ended by then. */
  loops: readonly (Loop & { rate: Rate | null })[];
  /** What the device says of the queues. */
  samples: Samples;
}

/** Ring of a queue: samples of the device count, unless the record has each request. */
const ringOf = (object: MachineObject, queue: QueueName, moment: Moment, fill: Fill): Ring => ({
  queue,
  capacity: capacityOf(object, queue),
  fill: withSamples(fill, moment.samples(object, queue), moment.lives === null),
});

const unknown = (why: Unknown): Fill => ({ is: 'unknown', why });

/** Limits an estimate to the capacity of the ring. */
const within = (capacity: number | null, n: number): number => Math.min(capacity ?? Infinity, Math.max(0, n));

/** True if no request may be posted to the queue in this state of the QP. */
const closed = (queue: 'SQ' | 'RQ', state: string | null): boolean =>
  state === 'RESET' || (queue === 'SQ' && (state === 'INIT' || state === 'RTR'));

const isOutstanding = (work: Work, at: number): boolean =>
  work.posted <= at && (work.done === null || work.done > at);

function counted(work: readonly Work[], at: number, capacity: number | null): Fill {
  let count = 0;
  let stamps = work.length > 0;
  for (const one of work) {
    if (!isOutstanding(one, at)) continue;
    count++;
    stamps &&= one.life !== null;
  }
  return {
    is: 'exact',
    count: within(capacity, count),
    basis: stamps && work.every(({ life }) => life !== null) ? 'stamps' : 'calls',
  };
}

/** The loop that posts to a QP; `null` if none does, `undefined` if the record does not tell. */
function loopOn(qp: MachineObject, { loops }: Moment): (Loop & { rate: Rate | null }) | null | undefined {
  const mine = loops.filter(({ endpoint }) => endpoint === qp.endpoint);
  const found = mine.findLast(({ qpns }) => qp.number !== null && qpns.includes(qp.number));
  if (found) return found;
  return mine.some(({ qpns }) => qpns.length === 0) ? undefined : null;
}

export function sendRing(qp: MachineObject, moment: Moment): Ring {
  return ringOf(qp, 'SQ', moment, sendFill(qp, moment, capacityOf(qp, 'SQ')));
}

function sendFill(qp: MachineObject, moment: Moment, capacity: number | null): Fill {
  const { at, book, lives } = moment;
  if (closed('SQ', stateAt(qp, at))) return { is: 'exact', count: 0, basis: 'state' };
  const work = book.workOf(qp, 'SQ');
  if (lives !== null)
    return lives === 'all'
      ? counted(work, at, capacity)
      : unknown(lives === 'sample' ? 'sampled' : 'unfinished');
  const loop = loopOn(qp, moment);
  if (loop === undefined) return unknown('loop');
  if (loop) {
    if (at > loop.to || !loop.rate || Number.isNaN(loop.rate.outstanding)) return unknown('loop');
    if (loop.qpns.length > 1) return unknown('loops');
    return { is: 'mean', count: within(capacity, loop.rate.outstanding) };
  }
  return book.postsRecorded ? counted(work, at, capacity) : unknown('no-posts');
}

export function receiveRing(qp: MachineObject, moment: Moment): Ring {
  return ringOf(qp, 'RQ', moment, receiveFill(qp, moment, capacityOf(qp, 'RQ')));
}

function receiveFill(qp: MachineObject, moment: Moment, capacity: number | null): Fill {
  const { at, book, lives } = moment;
  if (qp.srq !== null) return unknown('shared');
  if (closed('RQ', stateAt(qp, at))) return { is: 'exact', count: 0, basis: 'state' };
  if (lives !== null) return unknown('receives');
  if (loopOn(qp, moment) !== null) return unknown('loop');
  return book.postsRecorded ? counted(book.workOf(qp, 'RQ'), at, capacity) : unknown('no-posts');
}

export function sharedRing(srq: MachineObject, moment: Moment): Ring {
  const capacity = capacityOf(srq, 'SRQ');
  const { at, book, lives, loops } = moment;
  const fill =
    lives !== null
      ? unknown('receives')
      : loops.some(({ endpoint }) => endpoint === srq.endpoint)
        ? unknown('loop')
        : book.postsRecorded
          ? counted(book.workOf(srq, 'SRQ'), at, capacity)
          : unknown('no-posts');
  return ringOf(srq, 'SRQ', moment, fill);
}

/** Ring of a CQ. `qps`: QPs that complete to it, live or not; `srqs`: shared receive queues of these. */
export function completionRing(
  cq: MachineObject,
  qps: readonly MachineObject[],
  srqs: readonly MachineObject[],
  moment: Moment,
): Ring {
  return ringOf(cq, 'CQ', moment, completionFill(cq, qps, srqs, moment, capacityOf(cq, 'CQ')));
}

function completionFill(
  cq: MachineObject,
  qps: readonly MachineObject[],
  srqs: readonly MachineObject[],
  moment: Moment,
  capacity: number | null,
): Fill {
  const { at, book, lives } = moment;
  if (qps.every((qp) => closed('SQ', stateAt(qp, at)) && closed('RQ', stateAt(qp, at))))
    return { is: 'exact', count: 0, basis: 'state' };
  if (lives !== null) return unknown('no-time');
  if (qps.some((qp) => loopOn(qp, moment) !== null)) return unknown('loop');
  if (!book.postsRecorded) return unknown('no-posts');
  const own = [
    ...qps.flatMap((qp) => [
      ...(qp.sendCq === cq.id ? book.workOf(qp, 'SQ') : []),
      ...(qp.recvCq === cq.id ? book.workOf(qp, 'RQ') : []),
    ]),
    ...srqs.flatMap((srq) => book.workOf(srq, 'SRQ')),
  ];
  let sure = 0;
  let perhaps = 0;
  for (const { posted, cqe, polled, life, signaled, status } of own) {
    if (posted > at || (polled !== null && polled <= at)) continue;
    if (cqe !== null) sure += cqe <= at ? 1 : 0;
    // An unsignaled request that succeeds writes no CQE.
    else if (life === null && (signaled || status !== 0)) perhaps++;
  }
  return perhaps === 0
    ? { is: 'exact', count: within(capacity, sure), basis: 'stamps' }
    : { is: 'atMost', count: within(capacity, sure + perhaps) };
}
