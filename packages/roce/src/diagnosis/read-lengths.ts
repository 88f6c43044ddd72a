import { MTUS, Reads } from './reads.js';
import type { Uncertain } from './reads.js';
import type { Requester } from './requester.js';
import type { Sequence } from './sequence.js';

/** Tells how many PSNs a READ takes that came before the path MTU is known. */
export class ReadLengths {
  /** The last new request, where it was a READ whose number of responses is not known. */
  #uncertain: Uncertain | null = null;
  readonly #of: Requester;
  readonly #sequence: Sequence;

  constructor(of: Requester, sequence: Sequence) {
    this.#of = of;
    this.#sequence = sequence;
  }

  /** A new request came: a READ of unknown length, or none. */
  see(read: Uncertain | null): void {
    this.#uncertain = read;
  }

  /** The next request may be further on. */
  get open(): boolean {
    return this.#uncertain !== null;
  }

  /** The request behind a READ of unknown length tells how many PSNs that took. */
  settleBy(position: number, behind: number): void {
    const read = this.#uncertain;
    if (!read) return;
    const span = position - read.position;
    // If no path MTU fits, requests are missing, but nobody knows how many.
    if (Reads.fits(read, span)) {
      this.#settle(read, span);
      this.#sequence.reads.guess({ ...read, end: position, behind });
    }
    this.#uncertain = null;
    this.#sequence.next = position;
  }

  /** The path MTU is known now. */
  settle(mtu: number): void {
    if (mtu > 0) this.#check(mtu);
    const read = this.#uncertain;
    if (read && read.length >= 0 && mtu > 0) this.#settle(read, Math.max(1, Math.ceil(read.length / mtu)));
  }

  /** A smaller path MTU than the real one had explained requests that are missing. */
  #check(mtu: number): void {
    for (const { right, end, behind } of this.#sequence.reads.shorten(mtu)) {
      this.#of.responses.forgo(right, end);
      this.#of.gaps.add(right, end - right, behind);
    }
  }

  #settle(read: Uncertain, span: number): void {
    this.#uncertain = null;
    const { position, number, t } = read;
    const end = position + span;
    this.#of.responses.ask(position, end);
    this.#sequence.reads.add({ position, end, number, t });
    this.#sequence.next = Math.max(this.#sequence.next, end);
  }

  /** A response of a READ whose length in packets is not known yet: it has at least those. */
  reach(position: number): void {
    const read = this.#uncertain;
    if (!read || position < this.#sequence.next || position - read.position >= read.length / MTUS[0]!) return;
    this.#sequence.next = Math.max(this.#sequence.next, position + 1);
    this.#of.responses.ask(read.position, this.#sequence.next);
  }
}
