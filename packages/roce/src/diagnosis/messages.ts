import type { MessageKind } from '../base/types.js';
import type { PacketFacts } from './facts.js';
import type { MessageTotals } from './types.js';

/** The length of a message that both operands of an atomic operation have. */
const ATOMIC = 8;

/** Messages that wait for their acknowledgment; older ones count as done. */
const MOST = 1 << 12;

/** Messages that are done with and still kept, as moving the others each time would cost more. */
const FEW = 32;

/** What is read of a request. */
export type MessagePart = Pick<PacketFacts, 'info' | 'kind' | 'payload' | 'dmaLength' | 'cm' | 'marks'>;

/** READs and atomics are due a response with data, which no ACK replaces. */
export const ownResponse = ({ kind, info }: MessagePart): boolean =>
  kind === 'read-request' || (kind === 'atomic' && !info!.payload);

interface Open {
  kind: MessageKind;
  bytes: number;
  /** Whether `bytes` is its length: named by the packet, or added up without a hole. */
  known: boolean;
  named: boolean;
  /** One past its last PSN. */
  end: number;
  /** Its last packet came. */
  whole: boolean;
}

/** The messages that a flow's requests begin, each counted once. */
export class Messages {
  readonly #kinds = new Map<MessageKind, MessageTotals>();
  #open: Open | null = null;
  /** Whole, but neither acknowledged nor refused. */
  #waiting: Open[] = [];
  /** Those before this index are done with. They are taken out many at a time, as that moves all the others. */
  #first = 0;
  #refusing = false;

  /** A request that the capture did not hold yet. `end`: one past its last PSN; on transports without answers, -Infinity. */
  see(p: MessagePart, end = -Infinity): void {
    const info = p.info!;
    if (info.first) this.#begin(p);
    const open = this.#open;
    if (!open) return;
    open.end = end;
    if (!open.named) {
      open.bytes += p.payload;
      if (p.marks !== 0) open.known = false;
    }
    if (!info.last) return;
    open.whole = true;
    // The last packet says whether immediate data comes with it.
    if (info.message?.startsWith(open.kind)) open.kind = info.message;
    this.#close();
  }

  #begin(p: MessagePart): void {
    this.#cut();
    if (this.#refusing) return;
    const named = p.dmaLength >= 0 || p.kind === 'atomic';
    this.#open = {
      kind: p.cm ? 'CM' : (p.info!.message ?? 'SEND'),
      bytes: p.kind === 'atomic' ? ATOMIC : Math.max(p.dmaLength, 0),
      known: true,
      named,
      end: 0,
      whole: false,
    };
  }

  /** Its last packet did not come: only a length that a packet named is known. */
  #cut(): void {
    if (this.#open) this.#open.known &&= this.#open.named;
    this.#close();
  }

  #close(): void {
    const open = this.#open;
    if (!open) return;
    this.#open = null;
    if (open.end === -Infinity) return this.#count(open);
    if (this.#waiting.length === MOST) this.#makeRoom();
    this.#waiting.push(open);
  }

  #makeRoom(): void {
    while (this.#first < MOST / 2) this.#count(this.#waiting[this.#first++]!);
    this.#forget();
  }

  #forget(): void {
    this.#waiting.splice(0, this.#first);
    this.#first = 0;
  }

  /** All before `position` is acknowledged. Returns how many whole messages that completes. */
  acknowledged(position: number): number {
    this.#refusing = false;
    let whole = 0;
    while (this.#first < this.#waiting.length && this.#waiting[this.#first]!.end <= position) {
      const message = this.#waiting[this.#first++]!;
      if (message.whole) whole++;
      this.#count(message);
    }
    if (this.#first >= FEW) this.#forget();
    return whole;
  }

  /** The responder refused the request at `position` for good. What was sent behind it is thrown away. */
  refused(position: number): void {
    this.acknowledged(position);
    const first = this.#waiting[this.#first] ?? this.#open;
    if (first && !this.#refusing) this.#totals(first.kind).refused++;
    this.#waiting = [];
    this.#first = 0;
    this.#open = null;
    this.#refusing = true;
  }

  /** The QP number is used again: whatever waits counts as it is. */
  restart(): void {
    this.#cut();
    this.acknowledged(Infinity);
  }

  #totals(kind: MessageKind): MessageTotals {
    let totals = this.#kinds.get(kind);
    if (!totals) this.#kinds.set(kind, (totals = { kind, count: 0, bytes: 0, sizes: null, refused: 0 }));
    return totals;
  }

  #count(open: Open): void {
    const totals = this.#totals(open.kind);
    totals.count++;
    totals.bytes += open.bytes;
    if (!open.known) return;
    const [least, most] = totals.sizes ?? [open.bytes, open.bytes];
    totals.sizes = [Math.min(least, open.bytes), Math.max(most, open.bytes)];
  }

  /** By kind, in the order in which they began. No packet may come after. */
  end(): MessageTotals[] {
    this.restart();
    return [...this.#kinds.values()];
  }
}
