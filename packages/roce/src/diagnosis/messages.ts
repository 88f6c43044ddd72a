import type { MessageKind } from '../models/types.js';
import type { PacketFacts } from './facts.js';
import type { MessageTotals } from './types.js';

/** The length of a message that both operands of an atomic operation have. */
const ATOMIC = 8;

interface Open {
  kind: MessageKind;
  bytes: number;
  /** Whether `bytes` is its length: named by the packet, or added up without a hole. */
  known: boolean;
  named: boolean;
}

/** The messages that a flow's requests begin, each counted once. */
export class Messages {
  readonly #kinds = new Map<MessageKind, MessageTotals>();
  #open: Open | null = null;

  /** A request that the capture did not hold yet. */
  see(p: PacketFacts): void {
    const info = p.info!;
    if (info.first) this.#begin(p);
    const open = this.#open;
    if (!open) return;
    if (!open.named) {
      open.bytes += p.payload;
      if (p.marks !== 0) open.known = false;
    }
    if (!info.last) return;
    // The last packet says whether immediate data comes with it.
    if (info.message?.startsWith(open.kind)) open.kind = info.message;
    this.#close();
  }

  #begin(p: PacketFacts): void {
    this.#cut();
    const named = p.dmaLength >= 0 || p.kind === 'atomic';
    this.#open = {
      kind: p.cm ? 'CM' : (p.info!.message ?? 'SEND'),
      bytes: p.kind === 'atomic' ? ATOMIC : Math.max(p.dmaLength, 0),
      known: true,
      named,
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
    let totals = this.#kinds.get(open.kind);
    if (!totals) this.#kinds.set(open.kind, (totals = { kind: open.kind, count: 0, bytes: 0, sizes: null }));
    totals.count++;
    totals.bytes += open.bytes;
    if (!open.known) return;
    const [least, most] = totals.sizes ?? [open.bytes, open.bytes];
    totals.sizes = [Math.min(least, open.bytes), Math.max(most, open.bytes)];
  }

  /** By kind, in the order in which they began. No packet may come after. */
  end(): MessageTotals[] {
    this.#cut();
    return [...this.#kinds.values()];
  }
}
