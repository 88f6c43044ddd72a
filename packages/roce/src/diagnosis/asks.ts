import { ASKED_WAIT_NS, SHORTEST_TIMEOUT_NS } from './runs.js';
import type { Asked } from './runs.js';

/** The first packets of a retransmission may be lost again: so far behind the PSN of a NAK it may begin in the capture. */
const LOST_AGAIN = 8;

/** NAKs that are remembered until the requester acts on them. */
const MOST = 16;

interface Nak {
  nak: Asked;
  /** No run has answered it yet. */
  open: boolean;
  /** A run that had begun before holds what it names. */
  resent: boolean;
}

/** NAKs and RNR NAKs that ask one requester to send again. */
export class Asks {
  /** The last one, until it is answered. */
  last: Asked | null = null;
  /** The last RNR NAK. */
  #rnr: Asked | null = null;
  /** The last sequence NAKs. */
  #naks: Nak[] = [];

  clear(): void {
    this.last = null;
    this.#naks = [];
    this.#rnr = null;
  }

  nak(position: number, t: number): void {
    this.last = { by: 'nak', position, t, notBefore: t };
    this.#add({ nak: this.last, open: true, resent: false });
  }

  /** One that came before it could be matched: a run may have answered it. */
  before(position: number, t: number): void {
    this.#add({ nak: { by: 'nak', position, t, notBefore: t }, open: false, resent: false });
  }

  #add(nak: Nak): void {
    this.#naks.push(nak);
    if (this.#naks.length > MOST) this.#naks.shift();
  }

  /** `waitUs`: what it asks the requester to wait. Clocks are coarse, so half of it will do. */
  rnr(position: number, t: number, waitUs: number): void {
    this.last = { by: 'rnr', position, t, notBefore: t + 500 * waitUs };
    this.#rnr = this.last;
  }

  /** Whether an RNR NAK may make the requester go back to `position` at `t`, whatever answers came since. */
  waitedFor(position: number, t: number, acknowledged: number): boolean {
    const rnr = this.#rnr;
    if (!rnr || position < rnr.position || position > rnr.position + LOST_AGAIN) return false;
    // An answer to the request ends the wait.
    const waited = t >= rnr.notBefore || acknowledged > rnr.position;
    return waited && t - rnr.t < 4 * (rnr.notBefore - rnr.t) + SHORTEST_TIMEOUT_NS;
  }

  /** Whether a NAK has named this position of late, answered or not: it may reach the requester twice. */
  named(position: number, t: number): boolean {
    return this.#naks.some(({ nak }) => nak.position === position && t - nak.t < ASKED_WAIT_NS);
  }

  /** The NAK of this position that no run has answered, whatever answers and NAKs came since. */
  unheeded(position: number, t: number): Asked | null {
    return (
      this.#naks.find(({ nak, open }) => open && nak.position === position && t - nak.t < ASKED_WAIT_NS)
        ?.nak ?? null
    );
  }

  /** A run answers it, and the NAKs of its first position. */
  heeded(asked: Asked | null, first: number): void {
    if (asked !== null && asked === this.last) this.last = null;
    for (const each of this.#naks) if (each.nak.position === first) each.open = false;
  }

  /** A run goes on with this position. */
  sentAgain(position: number): void {
    for (const each of this.#naks) if (each.nak.position === position) each.resent = true;
  }

  /** All before `position` arrived, so what had been sent again did. */
  acknowledged(position: number): void {
    for (const each of this.#naks) if (each.resent && each.nak.position < position) each.open = false;
  }

  /** The last one, if it explains that the requester goes back to `position` at `t`. `read`: with a READ or an atomic. */
  explaining(position: number, t: number, read: boolean, acknowledged: number): Asked | null {
    const asked = this.last;
    if (!asked || t < asked.notBefore) return null;
    const late = position - asked.position;
    if (late < 0 || late > LOST_AGAIN) return null;
    // What it names was sent again meanwhile.
    if (late > 0 && this.#naks.some(({ nak, resent }) => nak === asked && resent)) return null;
    // A READ may be asked for again because of its responses, whatever a NAK of something before it says.
    if (read && (late > 0 || asked.position < acknowledged)) return null;
    // It may have crossed what it asks for, so that an ACK of it comes before the requester acts on the NAK.
    return asked.position >= acknowledged || t - asked.t < ASKED_WAIT_NS ? asked : null;
  }
}
