import { RNR_TIMER_US } from '../headers/aeth.js';
import type { PacketFacts } from './facts.js';
import { Sample } from '../base/sample.js';

/** Number of RNR NAKs in a row for one request that makes a storm. */
export const STORM = 3;

/** Time by which a requester may be late with the retransmission that an RNR NAK asks for. */
const LATE_NS = 10_000_000;

/** RNR NAKs to one requester: the responder had no receive posted. */
export class ReceiverNotReady {
  readonly packets = new Sample();
  /** Requests that were refused, each counted once. */
  requests = 0;
  storms = 0;
  longest = { count: 0, ns: 0 };
  /** Time that requests were held up, from their first RNR NAK to their acceptance. */
  heldNs = 0;
  /** Requests whose acceptance the capture does not show. */
  never = 0;
  /** The longest wait that an RNR NAK asked for. */
  timerUs = 0;
  /** True if the request was not sent again after the last RNR NAK. */
  givenUp = false;
  #position = -1;
  #count = 0;
  #startT = 0;
  #lastT = 0;

  add(p: Pick<PacketFacts, 'number' | 't' | 'syndrome'>, position: number): void {
    this.packets.add(p.number);
    this.givenUp = true;
    this.timerUs = Math.max(this.timerUs, RNR_TIMER_US[p.syndrome & 0x1f]!);
    if (position !== this.#position) {
      this.#close(p.t);
      this.#position = position;
      this.#startT = p.t;
      this.requests++;
    }
    this.#count++;
    this.#lastT = p.t;
    if (this.#count === STORM) this.storms++;
  }

  /** The request was sent again: the next answer decides. */
  answered(t: number): void {
    this.#lastT = t;
    this.givenUp = false;
  }

  /** All before `position` was accepted. */
  progress(position: number, t: number): void {
    if (this.#position < 0 || position <= this.#position) return;
    this.givenUp = false;
    this.#close(t);
  }

  /** True if the requester had enough time to send again and did not. */
  gaveUp(endT: number): boolean {
    return this.givenUp && endT - this.#lastT > 2000 * this.timerUs + LATE_NS;
  }

  end(): void {
    if (this.#position >= 0) this.never++;
    this.givenUp = false;
    this.#close(this.#lastT);
  }

  #close(t: number): void {
    if (this.#position < 0) return;
    const ns = t - this.#startT;
    this.heldNs += ns;
    if (this.#count > this.longest.count) this.longest = { count: this.#count, ns };
    this.#position = -1;
    this.#count = 0;
  }
}
