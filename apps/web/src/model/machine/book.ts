/** Objects and work requests of a run, read from its record and updated as the run continues. */
import { isProgram, WC_FLUSH } from '@verbslab/protocol';
import type { ProgramObject } from '../object-store';
import type { RunModel, TraceEvent } from '../run-model';
import { LabObjects, qpnOf } from './lab-objects';
import type { MachineObject } from './object';
import type { Selection } from '../selection';
import { complete, isSelected, joinLife, postedBy, WorkQueue, workOfLife, type Work } from './work';

const POSTS: Readonly<Record<string, Work['queue']>> = {
  ibv_post_send: 'SQ',
  ibv_wr_complete: 'SQ',
  ibv_bind_mw: 'SQ',
  ibv_post_recv: 'RQ',
  ibv_post_srq_recv: 'SRQ',
};

const QUEUED: readonly Work['queue'][] = ['SQ', 'RQ', 'SRQ'];

export class MachineBook {
  readonly #objects = new LabObjects();
  readonly #queues = new Map<string, WorkQueue>();
  readonly #program: { object: MachineObject; of: ProgramObject }[] = [];
  #read = 0;
  #postsRecorded = false;

  get objects(): readonly MachineObject[] {
    return this.#program.length > 0 ? this.#program.map(({ object }) => object) : this.#objects.all;
  }

  /** True if a call that posts was recorded: this run lists its requests one by one. */
  get postsRecorded(): boolean {
    return this.#postsRecorded;
  }

  /** Requests of a queue: the send or receive queue of a QP, or a shared receive queue. */
  workOf(object: MachineObject, queue: Work['queue']): readonly Work[] {
    return this.#queues.get(`${object.id} ${queue}`)?.all ?? [];
  }

  /** Object with the selected request. */
  ownerOf(selection: Selection): MachineObject | undefined {
    return this.objects.find((one) =>
      QUEUED.some((queue) => this.workOf(one, queue).some((work) => isSelected(work, selection))),
    );
  }

  update(run: RunModel): void {
    if (isProgram(run.record)) return this.#updateProgram(run);
    for (; this.#read < run.trace.length; this.#read++) this.#take(run.trace[this.#read]!);
  }

  #queue(object: MachineObject, queue: Work['queue']): WorkQueue {
    const key = `${object.id} ${queue}`;
    let found = this.#queues.get(key);
    if (!found) this.#queues.set(key, (found = new WorkQueue()));
    return found;
  }

  #take(e: TraceEvent): void {
    const endpoint = e.endpoint ?? '';
    switch (e.kind) {
      case 'verb': {
        const gone = this.#objects.verb(e);
        if (gone) this.#clear(gone, e.t);
        const queue = POSTS[e.call];
        if (queue && !e.error) this.#posted(e, queue);
        break;
      }
      case 'qp': {
        const qp = this.#objects.transition(e);
        if (qp && e.to === 'RESET' && e.from !== 'RESET') this.#clear(qp, e.t);
        break;
      }
      case 'wr': {
        const qp = this.#objects.qp(endpoint, e.qpn);
        if (!qp) break;
        const queue = this.#queue(qp, 'SQ');
        if (!joinLife(queue, e)) queue.push(workOfLife(e));
        break;
      }
      case 'completion': {
        const { qpn, status, opcode } = e.wc;
        if (status !== 0) this.#objects.failed(endpoint, qpn, status === WC_FLUSH, e.t);
        const qp = this.#objects.qp(endpoint, qpn);
        if (!qp) break;
        const srq = this.#objects.byId(qp.srq);
        const receive = srq ? this.#queue(srq, 'SRQ') : this.#queue(qp, 'RQ');
        const send = this.#queue(qp, 'SQ');
        // The opcode of a failed completion is meaningless on most devices; the wr_id then decides.
        for (const queue of opcode.startsWith('RECV') ? [receive, send] : [send, receive])
          if (complete(queue, e.wc, e.t)) break;
        break;
      }
      case 'async':
      case 'exchange':
      case 'step':
        break;
    }
  }

  #posted(e: Extract<TraceEvent, { kind: 'verb' }>, queue: Work['queue']): void {
    const object = this.#objects.named(e.endpoint ?? '', queue === 'SRQ' ? e.args.srq : e.args.qp);
    if (!object) return;
    this.#postsRecorded = true;
    const qpn = queue === 'SRQ' ? null : qpnOf(e.args.qp);
    const list = this.#queue(object, queue);
    for (const work of postedBy(e, queue, qpn, object.attrs.sq_sig_all === true)) list.push(work);
  }

  #clear(object: MachineObject, t: number): void {
    for (const queue of QUEUED) this.#queues.get(`${object.id} ${queue}`)?.clear(t);
  }

  #latest = new Map<string, MachineObject>();

  #updateProgram({ objects, lives }: RunModel): void {
    for (const of of objects.all.slice(this.#program.length)) {
      const { endpoint, kind, number, attrs, call, madeAt, states } = of;
      const named = (what: string, value: unknown): string | null =>
        typeof value === 'number' ? (this.#latest.get(`${endpoint} ${what} ${value}`)?.id ?? null) : null;
      const object: MachineObject = {
        ...{ id: of.key, endpoint, kind, number, call, attrs, madeAt, states },
        parent:
          named('PD', attrs.pd) ??
          (kind === 'context' ? null : (this.#latest.get(`${endpoint} context`)?.id ?? null)),
        sendCq: named('CQ', attrs.send_cq),
        recvCq: named('CQ', attrs.recv_cq),
        srq: named('SRQ', attrs.srq),
        connection: of.connection,
        goneAt: of.goneAt,
      };
      this.#latest.set(`${endpoint} ${kind} ${number}`, object);
      if (kind === 'context') this.#latest.set(`${endpoint} context`, object);
      this.#program.push({ object, of });
    }
    for (const { object, of } of this.#program) {
      object.goneAt = of.goneAt;
      object.connection = of.connection;
    }
    this.#takeLives(lives);
  }

  #lastLife = 0;

  #takeLives(lives: RunModel['lives']): void {
    // Lives are ordered by number and most are known, so only the last ones are checked.
    const from = lives.findLastIndex(({ seq }) => seq <= this.#lastLife) + 1;
    for (const life of lives.slice(from)) {
      const qp = this.#latest.get(`${life.endpoint ?? ''} QP ${life.qpn}`);
      if (qp) this.#queue(qp, 'SQ').push(workOfLife(life));
      this.#lastLife = life.seq;
    }
  }
}

const books = new WeakMap<RunModel, MachineBook>();

/** Book of a run, up to date. */
export function bookOf(run: RunModel): MachineBook {
  let book = books.get(run);
  if (!book) books.set(run, (book = new MachineBook()));
  book.update(run);
  return book;
}

/** Send requests posted from `from` to before `to`, in order. */
export function sentWithin(run: RunModel, from: number, to: number): Work[] {
  const book = bookOf(run);
  return book.objects
    .filter(({ kind }) => kind === 'QP')
    .flatMap((qp) => book.workOf(qp, 'SQ').filter(({ posted }) => posted >= from && posted < to))
    .sort((a, b) => a.posted - b.posted);
}

/**
 * The RECV that a message consumed. RECVs are consumed in the order of posting; the completion of a shared one names
 * its QP.
 */
export function receiveOf(run: RunModel, peer: MachineObject, received: number): Work | null {
  const book = bookOf(run);
  if (peer.srq === null) return book.workOf(peer, 'RQ')[received] ?? null;
  const srq = book.objects.find(({ id }) => id === peer.srq);
  const taken = srq ? book.workOf(srq, 'SRQ').filter(({ qpn }) => qpn === peer.number) : [];
  return taken[received] ?? null;
}
