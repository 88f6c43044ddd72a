import { MTUS, Reads } from './reads.js';
import type { Uncertain } from './reads.js';
import type { Requester } from './requester.js';
import type { Sequence } from './sequence.js';

/** Infers the number of PSNs of a READ that came before the path MTU is known. */
export class ReadLengths {
  /** The last new request, if it is a READ with an unknown number of responses. */
  #uncertain: Uncertain | null = null;
  readonly #of: Requester;
  readonly #sequence: Sequence;

  constructor(of: Requester, sequence: Sequence) {
    this.#of = of;
    this.#sequence = sequence;
  }

  /** Processes a new request: a READ of unknown length, or null for any other request. */
  see(read: Uncertain | null): void {
    this.#uncertain = read;
  }

  /** True if the next request may be further on. */
  get open(): boolean {
    return this.#uncertain !== null;
  }

  /** Infers the PSNs of a READ of unknown length from the request behind it. */
  settleBy(position: number, behind: number): void {
    const read = this.#uncertain;
    if (!read) return;
    const span = position - read.position;
    // If no path MTU fits, an unknown number of requests is missing.
    if (Reads.fits(read, span)) {
      this.#settle(read, span);
      this.#sequence.reads.guess({ ...read, end: position, behind });
    }
    this.#uncertain = null;
    this.#sequence.next = position;
  }

  /** Settles the lengths of READs: the path MTU is known now. */
  settle(mtu: number): void {
    if (mtu > 0) this.#check(mtu);
    const read = this.#uncertain;
    if (read && read.length >= 0 && mtu > 0) this.#settle(read, Math.max(1, Math.ceil(read.length / mtu)));
  }

  /** Corrects inferred lengths: a path MTU smaller than the real one explained requests that are missing. */
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

  /** A response of a READ with an unknown number of packets: the READ has at least this many. */
  reach(position: number): void {
    const read = this.#uncertain;
    if (!read || position < this.#sequence.next || position - read.position >= read.length / MTUS[0]!) return;
    this.#sequence.next = Math.max(this.#sequence.next, position + 1);
    this.#of.responses.ask(read.position, this.#sequence.next);
  }
}
