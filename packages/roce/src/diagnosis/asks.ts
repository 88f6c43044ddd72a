import { LONG_WAIT_NS, SHORTEST_TIMEOUT_NS } from './runs.js';
import type { Asked } from './runs.js';

/** The first packets of a retransmission may be lost again: so far behind the PSN of a NAK it may begin in the capture. */
const LOST_AGAIN = 8;

/** NAKs that are remembered until the requester acts on them. */
const MOST = 8;

/** NAKs and RNR NAKs that ask one requester to send again. */
export class Asks {
  /** The last one, until it is answered. */
  last: Asked | null = null;
  /** The last RNR NAK. */
  #rnr: Asked | null = null;
  /** The last sequence NAKs that no run has begun at yet. */
  #unheeded: Asked[] = [];

  clear(): void {
    this.last = null;
    this.#unheeded = [];
    this.#rnr = null;
  }

  nak(position: number, t: number): void {
    this.last = { by: 'nak', position, t, notBefore: t, tried: Infinity };
    this.#unheeded.push(this.last);
    if (this.#unheeded.length > MOST) this.#unheeded.shift();
  }

  /** `waitUs`: what it asks the requester to wait. Clocks are coarse, so half of it will do. */
  rnr(position: number, t: number, waitUs: number): void {
    this.last = { by: 'rnr', position, t, notBefore: t + 500 * waitUs, tried: Infinity };
    this.#rnr = this.last;
  }

  /** The NAK of this position that no run has begun at, whatever answers and NAKs came since. */
  unheeded(position: number, t: number): Asked | null {
    const nak = this.#unheeded.find((each) => each.position === position && t - each.t < LONG_WAIT_NS);
    return nak ?? null;
  }

  /** The RNR NAK that may make the requester go back to `position` at `t`, whatever answers came since. */
  waitedFor(position: number, t: number, acknowledged: number): Asked | null {
    const rnr = this.#rnr;
    if (!rnr || position < rnr.position || position > rnr.position + LOST_AGAIN) return null;
    // An answer to the request ends the wait.
    const waited = t >= rnr.notBefore || acknowledged > rnr.position;
    return waited && t - rnr.t < 4 * (rnr.notBefore - rnr.t) + SHORTEST_TIMEOUT_NS ? rnr : null;
  }

  heeded(asked: Asked): void {
    this.#unheeded = this.#unheeded.filter((each) => each !== asked);
  }

  /** The last one, if it explains that the requester goes back to `position` at `t`. `read`: with a READ or an atomic. */
  explaining(position: number, t: number, read: boolean, acknowledged: number): Asked | null {
    const asked = this.last;
    if (!asked || t < asked.notBefore) return null;
    const late = position - asked.position;
    if (late < 0 || late > LOST_AGAIN || (late > 0 && position >= asked.tried)) return null;
    // A READ may be asked for again because of its responses, whatever a NAK of something before it says.
    if (read && (late > 0 || asked.position < acknowledged)) return null;
    // It may have crossed what it asks for, so that an ACK of it comes before the requester acts on the NAK.
    return asked.position >= acknowledged || t - asked.t < LONG_WAIT_NS ? asked : null;
  }
}
