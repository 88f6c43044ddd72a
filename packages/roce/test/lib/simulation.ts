// A requester and a responder with go-back-N on a path that loses, copies and delays packets, and the capture of a tap
// on that path. The simulation knows why each packet was sent again, so a diagnosis of the capture can be checked
// against it.
import { aeth, atomicacketh, atomiceth, RC, reth } from '../../src/index.js';
import type { Random } from './random.js';
import type { Truth, Why } from './judge.js';
import { ACK, answer, NAK, opcodeOf, psnOf, request, US, type Sent } from './traffic.js';

/** A packet with the times at which it passes the two ends, or -1. */
export interface OnPath extends Truth {
  atA: number;
  atB: number;
}

export interface Path {
  /** Packets per 1000 that are lost before the tap, and behind it. */
  before: number;
  behind: number;
  /** Packets per 1000 that reach the tap or the other end twice, and that arrive there late. */
  copied?: number;
  late?: number;
  /** Time from an end to the tap, and the longest extra delay of a late packet or a copy, µs. */
  way?: number;
  most?: number;
  /** Time from one request to the next, ns. */
  pace?: number;
}

const MTU = 256;
const TIMEOUT = 67_000 * US;
const WINDOW = 24;

interface Op {
  kind: 'write' | 'send' | 'read' | 'atomic';
  psn: number;
  /** Number of PSNs that the operation takes. */
  span: number;
}

interface Event {
  t: number;
  run: () => void;
}

const payloadOf = (one: Sent): number => {
  const opcode = opcodeOf(one);
  return opcode <= 0x0a || (opcode >= 0x0d && opcode <= 0x10) ? MTU : 0;
};

/**
 * Simulation of one connection. Positions count from 0 instead of PSNs, which get their wrap when a packet is built.
 */
export class Simulation {
  readonly wire: OnPath[] = [];
  readonly #ops: Op[] = [];
  readonly #total: number;
  readonly #events: Event[] = [];
  #t = 0;
  // Requester
  #next = 0;
  #acknowledged = 0;
  #sentUpTo = 0;
  #timer = 0;
  #why: Why = 'new';
  #head = false;
  readonly #got = new Set<number>();
  #asking = -1;
  // Responder
  #expected = 0;
  #nakSent = false;
  #msn = 0;

  constructor(
    readonly random: Random,
    readonly path: Path,
    readonly base: number,
    readonly qps: [a: number, b: number],
    operations: number,
    readonly kinds: Op['kind'][] = ['write', 'send', 'read', 'atomic'],
  ) {
    let psn = 0;
    for (let i = 0; i < operations; i++) {
      const kind = random.pick(kinds);
      const span = kind === 'atomic' ? 1 : 1 + random.below(kind === 'read' ? 8 : 5);
      this.#ops.push({ kind, psn, span });
      psn += span;
    }
    this.#total = psn;
    this.#at(0, () => this.#pump());
    this.#run();
  }

  #at(t: number, run: () => void): void {
    // The next event is the last of the list. Of events at the same time, the one that was added first comes first.
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#events[middle]!.t > t) low = middle + 1;
      else high = middle;
    }
    this.#events.splice(low, 0, { t, run });
  }

  #run(): void {
    let budget = 200_000;
    while (this.#events.length > 0 && budget-- > 0) {
      const event = this.#events.pop()!;
      this.#t = event.t;
      event.run();
    }
    this.wire.sort((x, y) => x.t - y.t);
  }

  #opAt(position: number): Op {
    return this.#ops.find(({ psn, span }) => position >= psn && position < psn + span)!;
  }

  #lost(share: number): boolean {
    return this.random.below(1000) < share;
  }

  /** Sends a packet over the path. `arrive` runs at the other end if the packet gets there. */
  #transmit(sent: Sent, why: Why, head: boolean, arrive: () => void): void {
    const [before, behind] =
      sent.by === 'a' ? [this.path.before, this.path.behind] : [this.path.behind, this.path.before];
    // The part of the path before the tap is on the side of A. An answer passes the other part first.
    const first = this.#lost(before);
    const { way = 2 } = this.path;
    const [leaves, tap, reaches] = [sent.t, sent.t + way * US, sent.t + 2 * way * US];
    const second = !first && this.#lost(behind);
    const there = !first && !second;
    const [atA, atB] = sent.by === 'a' ? [leaves, there ? reaches : -1] : [there ? reaches : -1, leaves];
    const slow = this.#delay(this.path.late);
    const early = this.#half();
    const passes = tap + (early ? slow : 0);
    const odd = early && slow > 0 ? { odd: 'late' as const } : {};
    const payload = payloadOf(sent);
    this.wire.push({ ...sent, t: first ? -1 : passes, why, head, payload, atA, atB, ...odd });
    if (there) this.#at(reaches + slow, arrive);
    const again = first ? 0 : this.#delay(this.path.copied);
    if (again === 0) return;
    if (this.#half())
      this.wire.push({ ...sent, t: passes + again, why, head, payload, atA: -1, atB: -1, odd: 'copy' });
    if (there) this.#at(reaches + slow + again, arrive);
  }

  /** Draws the delay of a packet or of its copy, ns; mostly 0. */
  #delay(share = 0): number {
    return share > 0 && this.#lost(share) ? (1 + this.random.below(this.path.most ?? 12)) * US : 0;
  }

  /** Draws if something happens before the tap. Draws no number without copies and delays. */
  #half(): boolean {
    return (this.path.copied || this.path.late) !== undefined && this.random.below(2) === 0;
  }

  // --- requester

  #pump(): void {
    while (this.#next < this.#total && this.#next - this.#acknowledged < WINDOW) this.#sendNext();
  }

  #clock = 0;

  #sendNext(): void {
    const op = this.#opAt(this.#next);
    const offset = this.#next - op.psn;
    this.#clock = Math.max(this.#clock, this.#t) + (this.path.pace ?? US);
    const t = this.#clock;
    const psn = this.base + this.#next;
    const again = this.#next < this.#sentUpTo;
    const why = again ? this.#why : 'new';
    const head = this.#head;
    this.#head = false;
    const [, qp] = this.qps;
    const at = this.#next;
    const last = offset === op.span - 1;
    const region = (length: number) => reth.bytes({ va: BigInt(offset * MTU), rkey: 7, dmaLength: length });
    let sent: Sent;
    let taken = 1;
    if (op.kind === 'read') {
      taken = op.span - offset;
      sent = request(t, { qp, opcode: RC.readRequest, psn, headers: [region(taken * MTU)] });
    } else if (op.kind === 'atomic') {
      const headers = [atomiceth.bytes({ va: 8n, rkey: 7, swapOrAdd: 1n, compare: 0n })];
      sent = request(t, { qp, opcode: RC.fetchAdd, psn, headers });
    } else {
      const low = op.kind === 'write' ? RC.writeFirst : RC.sendFirst;
      const only = op.kind === 'write' ? RC.writeOnly : RC.sendOnly;
      const opcode = op.span === 1 ? only : offset === 0 ? low : last ? low + 2 : low + 1;
      const headers = op.kind === 'write' && offset === 0 ? [region(op.span * MTU)] : [];
      sent = request(t, { qp, opcode, psn, headers, payload: MTU, ackReq: last });
    }
    this.#next += taken;
    this.#sentUpTo = Math.max(this.#sentUpTo, this.#next);
    this.#transmit(sent, why, head, () => this.#receive(at, taken, op));
    this.#arm();
  }

  #arm(): void {
    const mine = ++this.#timer;
    this.#at(Math.max(this.#t, this.#clock) + TIMEOUT, () => {
      if (mine !== this.#timer || this.#acknowledged >= this.#sentUpTo) return;
      this.#goBack('timeout');
    });
  }

  #goBack(why: Why): void {
    this.#next = this.#acknowledged;
    this.#why = why;
    this.#head = true;
    // The window is one operation at least, whole READs included.
    const upTo = this.#sentUpTo;
    while (this.#next < upTo) this.#sendNext();
    this.#pump();
  }

  /** Acknowledges the positions up to `position` that need no response or have it. */
  #advance(position: number, why: Why = 'read'): void {
    let to = this.#acknowledged;
    while (to < Math.min(position, this.#sentUpTo)) {
      const op = this.#opAt(to);
      if ((op.kind === 'read' || op.kind === 'atomic') && !this.#got.has(to)) break;
      to++;
    }
    if (to > this.#acknowledged) {
      this.#acknowledged = to;
      this.#asking = -1;
      if (this.#next < to) this.#next = to;
      if (to < this.#sentUpTo) this.#arm();
      else this.#timer++;
    }
    // A due response that is missing while a later one came is requested again at once, and only once.
    if (to < position && this.#asking !== to) {
      this.#asking = to;
      this.#goBack(why);
      return;
    }
    this.#pump();
  }

  #answered(kind: 'ack' | 'nak' | 'response', position: number): void {
    if (kind === 'response') {
      this.#got.add(position);
      this.#advance(position + 1);
    } else if (kind === 'ack') this.#advance(position + 1);
    else {
      this.#advance(position, 'both');
      if (this.#acknowledged === position && this.#next > position) this.#goBack('nak');
    }
  }

  // --- responder

  #reply(sent: Sent, arrive: () => void): void {
    this.#transmit(sent, 'new', false, arrive);
  }

  #ack(position: number, syndrome: number, t: number): void {
    const [qp] = this.qps;
    const headers = [aeth.bytes({ syndrome, msn: this.#msn & 0xffffff })];
    const sent = answer(t, { qp, opcode: RC.acknowledge, psn: this.base + position, headers });
    this.#reply(sent, () => this.#answered(syndrome === ACK ? 'ack' : 'nak', position));
  }

  #busy = 0;

  #receive(position: number, taken: number, op: Op): void {
    const t = Math.max(this.#t + US, this.#busy);
    this.#busy = t + US;
    if (position > this.#expected) {
      if (!this.#nakSent) this.#ack(this.#expected, NAK, t);
      this.#nakSent = true;
      return;
    }
    const fresh = position === this.#expected;
    if (fresh) {
      this.#nakSent = false;
      this.#expected += taken;
      if (position + taken === op.psn + op.span) this.#msn++;
    } else if (op.kind !== 'read' && op.kind !== 'atomic') {
      this.#ack(this.#expected - 1, ACK, t);
      return;
    } else if (position + taken > this.#expected) this.#expected = position + taken;
    const [qp] = this.qps;
    if (op.kind === 'read') {
      for (let i = 0; i < taken; i++) {
        const [first, last] = [i === 0, i === taken - 1];
        const opcode =
          first && last
            ? RC.readResponseOnly
            : first
              ? RC.readResponseFirst
              : last
                ? RC.readResponseLast
                : RC.readResponseMiddle;
        const headers = first || last ? [aeth.bytes({ syndrome: ACK, msn: this.#msn & 0xffffff })] : [];
        const sent = answer(t + i * US, { qp, opcode, psn: this.base + position + i, headers, payload: MTU });
        this.#reply(sent, () => this.#answered('response', position + i));
      }
      this.#busy = t + taken * US;
    } else if (op.kind === 'atomic') {
      const headers = [
        aeth.bytes({ syndrome: ACK, msn: this.#msn & 0xffffff }),
        atomicacketh.bytes({ original: 1n }),
      ];
      const sent = answer(t, { qp, opcode: RC.atomicAcknowledge, psn: this.base + position, headers });
      this.#reply(sent, () => this.#answered('response', position));
    } else if (position === op.psn + op.span - 1) this.#ack(position, ACK, t);
  }
}

/** The packets that the tap sees, in order. */
export const tapped = (wire: readonly OnPath[]): OnPath[] =>
  wire.filter(({ t }) => t >= 0).sort((x, y) => x.t - y.t);
export { psnOf };
