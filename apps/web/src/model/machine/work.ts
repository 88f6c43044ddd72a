/** Work requests of a run, from the calls that post them, the polled completions and the recorded timelines. */
import type { RunEventOf } from '@verbslab/protocol';
import type { Selection } from '../selection';
import { field } from '../field';

export type Life = RunEventOf<'wr'>;
type Wc = RunEventOf<'completion'>['wc'];

export interface Work {
  /** Sequence number of the call that posted it, or of its timeline. */
  readonly seq: number;
  readonly endpoint: string;
  /** QPN; null on a shared receive queue until a message consumes it. */
  qpn: number | null;
  readonly queue: 'SQ' | 'RQ' | 'SRQ';
  readonly wrId: number;
  readonly opcode: string;
  readonly bytes: number;
  /** Keys of the memory that it reads or writes, here and at the peer; null if not recorded. */
  readonly lkey: number | null;
  readonly rkey: number | null;
  /** Addresses in that memory; null if not recorded. */
  readonly localAddr: number | null;
  readonly remoteAddr: number | null;
  /** True if it generates a completion even if it succeeds. */
  readonly signaled: boolean;
  posted: number;
  /**
   * Time at which its slot in the queue became free, as far as recorded: the CQE was written, or a poll found it or a
   * later one.
   */
  done: number | null;
  /** Time at which its CQE was written; null if only the poll is known. */
  cqe: number | null;
  polled: number | null;
  status: number | null;
  /** Timeline of the device's work on it, if recorded. */
  life: Life | null;
  /** First PSN of its message, of a request that is known from a standstill. */
  readonly psn?: number;
}

const lengthOf = (wr: unknown): number => {
  const list = field(wr, 'sg_list');
  return Array.isArray(list)
    ? list.reduce((sum: number, sge) => sum + Number(field(sge, 'length') ?? 0), 0)
    : 0;
};

const firstOf = (list: unknown): unknown => (Array.isArray(list) ? list[0] : undefined);
/** Keys and addresses are recorded as `0x…`. */
const numberOf = (text: unknown): number | null => (typeof text === 'string' ? Number(text) : null);

const flagged = (wr: unknown): boolean => {
  const flags = field(wr, 'send_flags');
  return !Array.isArray(flags) || flags.includes('SIGNALED');
};

function opcodeOf(call: string, wr: unknown): string {
  const opcode = field(wr, 'opcode');
  return typeof opcode === 'string' ? opcode : call === 'ibv_bind_mw' ? 'BIND_MW' : '';
}

/** Selection of a request on the page: its timeline, or the call that posted it. */
export const selectionOf = ({ life, seq }: Work): Selection =>
  life ? { kind: 'wr', seq: life.seq } : { kind: 'event', seq };

/** True if the call that posted it, or its timeline, is selected. */
export const isSelected = ({ seq, life }: Work, selection: Selection | null): boolean =>
  (selection?.kind === 'event' && selection.seq === seq) ||
  (selection?.kind === 'wr' && selection.seq === life?.seq);

/** Requests of a queue in the order of posting. All requests before index `#open` are done. */
export class WorkQueue {
  readonly all: Work[] = [];
  #open = 0;

  push(work: Work): void {
    this.all.push(work);
  }

  get pending(): readonly Work[] {
    while (this.#open < this.all.length && this.#isOver(this.all[this.#open]!)) this.#open++;
    return this.all.slice(this.#open);
  }

  #isOver({ done, polled, signaled }: Work): boolean {
    return done !== null && (polled !== null || !signaled);
  }

  /** Ends all pending requests: the QP was reset or destroyed. */
  clear(t: number): void {
    for (const work of this.pending) {
      work.done ??= t;
      work.polled ??= t;
    }
  }
}

/** Requests that a call posts. */
export function postedBy(
  e: RunEventOf<'verb'>,
  queue: Work['queue'],
  qpn: number | null,
  signalAll: boolean,
): Work[] {
  const list = e.call === 'ibv_bind_mw' ? [e.args] : Array.isArray(e.args.wr) ? e.args.wr : [e.args.wr];
  return list.map((wr) => ({
    seq: e.seq,
    endpoint: e.endpoint ?? '',
    qpn,
    queue,
    // The call that binds a window does not record the wr_id.
    wrId: e.call === 'ibv_bind_mw' ? NaN : Number(field(wr, 'wr_id') ?? 0),
    opcode: queue === 'SQ' ? opcodeOf(e.call, wr) : 'RECV',
    bytes: lengthOf(wr),
    lkey: numberOf(field(firstOf(field(wr, 'sg_list')), 'lkey')),
    rkey: numberOf(field(wr, 'rkey')),
    localAddr: numberOf(field(firstOf(field(wr, 'sg_list')), 'addr')),
    remoteAddr: numberOf(field(wr, 'remote_addr')),
    signaled: queue !== 'SQ' || signalAll || flagged(wr),
    posted: e.t,
    done: null,
    cqe: null,
    polled: null,
    status: null,
    life: null,
  }));
}

/** A request that is only known by its timeline. */
export function workOfLife(life: Life): Work {
  return {
    seq: life.seq,
    endpoint: life.endpoint ?? '',
    qpn: life.qpn,
    queue: 'SQ',
    wrId: life.wrId,
    opcode: life.opcode,
    bytes: life.byteLen,
    lkey: null,
    rkey: null,
    localAddr: null,
    remoteAddr: null,
    signaled: life.cqe !== null,
    posted: life.posted,
    done: life.cqe ?? life.acked ?? life.polled,
    cqe: life.cqe,
    polled: life.polled,
    status: life.status,
    life,
  };
}

/** Attaches a timeline to its request. False if no recorded call posted it. */
export function joinLife(queue: WorkQueue, life: Life): boolean {
  const work = queue.all.findLast(
    (one) => one.life === null && one.wrId === life.wrId && one.posted <= life.posted,
  );
  if (!work) return false;
  work.life = life;
  work.posted = life.posted;
  work.cqe = life.cqe;
  work.polled = life.polled ?? work.polled;
  work.done = life.cqe ?? life.acked ?? work.done;
  work.status = life.status;
  return true;
}

/** Takes in a polled completion: its request is done, and on a send queue so are all requests before it. */
export function complete(queue: WorkQueue, { wrId, status, qpn, opcode }: Wc, t: number): boolean {
  const { pending } = queue;
  const at = pending.findIndex(
    (one) =>
      (one.wrId === wrId || (Number.isNaN(one.wrId) && opcode === one.opcode)) &&
      one.polled === null &&
      (one.signaled || status !== 0),
  );
  if (at < 0) return false;
  const work = pending[at]!;
  work.done ??= t;
  work.polled = t;
  work.status = status;
  work.qpn = qpn;
  if (work.queue === 'SQ')
    for (const earlier of pending.slice(0, at)) {
      earlier.done ??= t;
      // An unsignaled request that succeeds generates no completion.
      if (!earlier.signaled) earlier.status ??= 0;
    }
  return true;
}
