import { ASKED_WAIT_NS, SHORTEST_TIMEOUT_NS } from './runs.js';
import type { Asked } from './runs.js';

/** A retransmission may begin this far behind the PSN of a NAK in the capture: its first packets may be lost again. */
const LOST_AGAIN = 8;

/** NAKs that are kept until the requester acts on them. */
const MOST = 16;

/** RNR NAKs that are remembered: answers on their way may cross several of them. */
const MOST_RNRS = 4;

interface Nak {
  nak: Asked;
  /** True until a run answers the NAK. */
  open: boolean;
  /** True if a run that had begun before the NAK holds the PSN that it names. */
  resent: boolean;
}

/** NAKs and RNR NAKs that ask one requester to send again. */
export class Asks {
  /** The last request to send again, until it is answered. */
  last: Asked | null = null;
  /** The last RNR NAKs. */
  #rnrs: Asked[] = [];
  /** The last sequence NAKs. */
  #naks: Nak[] = [];

  clear(): void {
    this.last = null;
    this.#naks = [];
    this.#rnrs = [];
  }

  nak(position: number, t: number): void {
    const nak: Asked = { by: 'nak', position, t, notBefore: t };
    // A NAK that comes after an RNR NAK for a later PSN is late: the RNR NAK acknowledged what it names.
    if (this.last?.by !== 'rnr' || position >= this.last.position) this.last = nak;
    this.#add({ nak, open: true, resent: false });
  }

  /** Adds a NAK that came before the flows were matched. A run may have answered it already. */
  before(position: number, t: number): void {
    this.#add({ nak: { by: 'nak', position, t, notBefore: t }, open: false, resent: false });
  }

  #add(nak: Nak): void {
    this.#naks.push(nak);
    if (this.#naks.length > MOST) this.#naks.shift();
  }

  /** `waitUs`: the wait that the RNR NAK asks for. Half of it is enough here, because clocks are coarse. */
  rnr(position: number, t: number, waitUs: number): void {
    this.last = { by: 'rnr', position, t, notBefore: t + 500 * waitUs };
    this.#rnrs.push(this.last);
    if (this.#rnrs.length > MOST_RNRS) this.#rnrs.shift();
  }

  /**
   * True if an RNR NAK may make the requester go back to `position` at `t`, whatever answers came since. `read`: to a
   * READ or an atomic, from which the requester begins again if its response has not come when the wait is over.
   */
  waitedFor(position: number, t: number, acknowledged: number, read: boolean): boolean {
    return this.#rnrs.some((rnr) => {
      if (
        position > rnr.position + LOST_AGAIN ||
        t - rnr.t >= 4 * (rnr.notBefore - rnr.t) + SHORTEST_TIMEOUT_NS
      )
        return false;
      if (position < rnr.position) return read && t >= rnr.notBefore;
      // An answer to the request ends the wait.
      return t >= rnr.notBefore || acknowledged > rnr.position;
    });
  }

  /** True if a recent NAK names this position, answered or not: a NAK may reach the requester twice. */
  named(position: number, t: number): boolean {
    return this.#naks.some(({ nak }) => nak.position === position && t - nak.t < ASKED_WAIT_NS);
  }

  /** Returns the NAK of this position that no run has answered, whatever answers and NAKs came since. */
  unheeded(position: number, t: number): Asked | null {
    return (
      this.#naks.find(({ nak, open }) => open && nak.position === position && t - nak.t < ASKED_WAIT_NS)
        ?.nak ?? null
    );
  }

  /** A run answers `asked`, and the NAKs of its first position. */
  heeded(asked: Asked | null, first: number): void {
    if (asked !== null && asked === this.last) this.last = null;
    for (const each of this.#naks) if (each.nak.position === first) each.open = false;
  }

  /** A run goes on with this position. */
  sentAgain(position: number): void {
    for (const each of this.#naks) if (each.nak.position === position) each.resent = true;
  }

  /** All before `position` arrived, and so did the packets before it that had been sent again. */
  acknowledged(position: number): void {
    for (const each of this.#naks) if (each.resent && each.nak.position < position) each.open = false;
  }

  /**
   * Returns the last request to send again if it explains why the requester goes back to `position` at `t`. `read`:
   * with a READ or an atomic.
   */
  explaining(position: number, t: number, read: boolean, acknowledged: number): Asked | null {
    const asked = this.last;
    if (!asked || t < asked.notBefore) return null;
    const late = position - asked.position;
    if (late < 0 || late > LOST_AGAIN) return null;
    // The PSN that the NAK names was sent again meanwhile.
    if (late > 0 && this.#naks.some(({ nak, resent }) => nak === asked && resent)) return null;
    // A missing response can make the requester repeat a READ, whatever a NAK for an earlier PSN says.
    if (read && (late > 0 || asked.position < acknowledged)) return null;
    // The NAK may have crossed the packet that it asks for. Then an ACK comes before the requester acts on the NAK.
    return asked.position >= acknowledged || t - asked.t < ASKED_WAIT_NS ? asked : null;
  }
}
