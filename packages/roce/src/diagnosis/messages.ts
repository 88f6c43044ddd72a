import type { MessageKind } from '../base/types.js';
import type { PacketFacts } from './facts.js';
import type { MessageTotals } from './types.js';

/** Bytes of an atomic operand, which count as the length of an atomic message. */
const ATOMIC = 8;

/** Limit of messages that wait for their acknowledgment. Older ones count as done. */
const MOST = 1 << 12;

/** Messages that are done before they are removed together, because each removal moves all the others. */
const FEW = 32;

/** The parts of a request that are read here. */
export type MessagePart = Pick<PacketFacts, 'info' | 'kind' | 'payload' | 'dmaLength' | 'cm' | 'marks'>;

/** True for READs and atomics: they are due a response with data, which no ACK replaces. */
export const ownResponse = ({ kind, info }: MessagePart): boolean =>
  kind === 'read-request' || (kind === 'atomic' && !info!.payload);

interface Open {
  kind: MessageKind;
  bytes: number;
  /** True if `bytes` is the message's length: named by a packet, or added up without a hole. */
  known: boolean;
  named: boolean;
  /** Position behind the last PSN. */
  end: number;
  /** True if the last packet came. */
  whole: boolean;
}

/** The messages that a flow's requests begin, each counted once. */
export class Messages {
  readonly #kinds = new Map<MessageKind, MessageTotals>();
  #open: Open | null = null;
  /** Messages that get no more packets and are neither acknowledged nor refused. */
  #waiting: Open[] = [];
  /** Index of the first message that still waits. Earlier ones are done and are removed many at a time. */
  #first = 0;
  #refusing = false;

  /**
   * Processes a request that the capture did not hold yet. `end`: position behind its last PSN; -Infinity on transports
   * without answers.
   */
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

  /** Closes a message whose last packet did not come. Its length is known only if a packet named it. */
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

  /** Completes all messages before `position`. Returns the number of those that are whole. */
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

  /** The responder refused the request at `position` for good. Drops the requests behind it. */
  refused(position: number): void {
    this.acknowledged(position);
    const first = this.#waiting[this.#first] ?? this.#open;
    if (first && !this.#refusing) this.#totals(first.kind).refused++;
    this.#waiting = [];
    this.#first = 0;
    this.#open = null;
    this.#refusing = true;
  }

  /** Counts all waiting messages as they are, because the QP number is used again. */
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

  /** Returns the totals by kind, in the order in which the kinds began. No packet may follow. */
  end(): MessageTotals[] {
    this.restart();
    return [...this.#kinds.values()];
  }
}
