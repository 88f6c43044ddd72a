import { psnDistance } from '../models/psn.js';
import { Reads } from './reads.js';
import { SentPsns } from './sent.js';

/** PSNs that a requester may have had in flight when the capture began. */
export const IN_FLIGHT = 256;

/** Positions by which an answer may precede its request in a file that merges several places or queues. */
export const EARLY = 64;

/** Limit of requests with a wrong ICRC that are kept. */
const MOST_WRONG = 256;

/** The positions of one requester (PSNs with the 24-bit wrap undone), and the packets that hold them. */
export class Sequence {
  /** The PSN of position 0. */
  base = 0;
  /** Position of the next new request. */
  next = 0;
  readonly reads = new Reads();
  readonly #sent = new SentPsns();
  /** Requests that came with a wrong ICRC, by position. */
  readonly #wrong = new Map<number, number>();

  restart(psn: number): void {
    this.base = psn;
    this.next = 0;
    this.reads.clear();
    this.#wrong.clear();
    this.#sent.reset(0);
  }

  place(psn: number): number {
    return this.next + psnDistance((this.base + this.next) & 0xffffff, psn);
  }

  put(position: number, number: number, t: number): void {
    this.#sent.put(position, 1, number, t);
  }

  /** True if a captured request begins here. */
  begins(position: number): boolean {
    return this.#sent.number(position) !== 0;
  }

  /** The packet that holds a position; 0 if none does. */
  held(position: number): number {
    return this.#sent.number(position) || (this.reads.of(position)?.number ?? 0);
  }

  heldT(position: number): number {
    return this.begins(position) ? this.#sent.time(position) : (this.reads.of(position)?.t ?? 0);
  }

  /** Time at which a position was last captured; -Infinity if it was not. */
  lastT(position: number): number {
    return this.held(position) === 0 ? -Infinity : this.heldT(position);
  }

  /** Time at which the next captured position after this one was last captured; -Infinity if there is none. */
  overtakenT(position: number): number {
    const end = Math.min(this.next, position + IN_FLIGHT);
    for (let at = position + 1; at < end; at++) if (this.begins(at)) return this.#sent.time(at);
    return -Infinity;
  }

  /** Processes a request that its receiver drops because of its ICRC. */
  wrong(position: number, number: number): void {
    if (position < this.next || position - this.next > EARLY || this.#wrong.size >= MOST_WRONG) return;
    this.#wrong.set(position, number);
  }

  /** Returns the packet with a wrong ICRC at a position; 0 if there is none. */
  wrongAt(position: number): number {
    return this.#wrong.get(position) ?? 0;
  }

  /** Number of missing PSNs before a position that came with a wrong ICRC. */
  wrongBefore(position: number): number {
    let wrong = 0;
    if (this.#wrong.size > 0) for (let at = this.next; at < position; at++) if (this.#wrong.has(at)) wrong++;
    return wrong;
  }
}
