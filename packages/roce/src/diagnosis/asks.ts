import { LONG_WAIT_NS } from './runs.js';
import type { Asked } from './runs.js';

/** The first packets of a retransmission may be lost again: so far behind the PSN of a NAK it may begin in the capture. */
const LOST_AGAIN = 8;

/** NAKs that are remembered until the requester acts on them. */
const MOST = 8;

/** NAKs and RNR NAKs that ask one requester to send again. */
export class Asks {
  /** The last one, until it is answered. */
  last: Asked | null = null;
  /** The last sequence NAKs that no run has begun at yet. */
  #unheeded: Asked[] = [];

  clear(): void {
    this.last = null;
    this.#unheeded = [];
  }

  nak(position: number, t: number): void {
    this.last = { by: 'nak', position, t };
    this.#unheeded.push(this.last);
    if (this.#unheeded.length > MOST) this.#unheeded.shift();
  }

  rnr(position: number, t: number): void {
    this.last = { by: 'rnr', position, t };
  }

  /** The NAK of this position that no run has begun at, whatever answers and NAKs came since. */
  unheeded(position: number, t: number): Asked | null {
    return this.#unheeded.find((nak) => nak.position === position && t - nak.t < LONG_WAIT_NS) ?? null;
  }

  heeded(nak: Asked): void {
    this.#unheeded = this.#unheeded.filter((each) => each !== nak);
  }

  /** The last one, if it explains that the requester goes back to `position` at `t`. `read`: with a READ or an atomic. */
  explaining(position: number, t: number, read: boolean, acknowledged: number): Asked | null {
    const asked = this.last;
    if (!asked) return null;
    const late = position - asked.position;
    if (late < 0 || late > LOST_AGAIN) return null;
    // A READ may be asked for again because of its responses, whatever a NAK of something before it says.
    if (read && (late > 0 || asked.position < acknowledged)) return null;
    // It may have crossed what it asks for, so that an ACK of it comes before the requester acts on the NAK.
    return asked.position >= acknowledged || t - asked.t < LONG_WAIT_NS ? asked : null;
  }
}
