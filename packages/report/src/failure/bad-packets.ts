/** The first packet of a capture that shows an error. */
import { decodeHeader, decodePackets } from '@verbslab/protocol';
import { LinkType, summarizePacket } from '@verbslab/roce';
import type { ProblemOf } from './problem-list.js';

export interface BadPacket {
  /** Number in the page and in the capture file, from 1. */
  number: number;
  /** Nanoseconds since the run was created. */
  t: number;
  src: string;
  dst: string;
  /** Summary, as in a list of packets. */
  info: string;
}

interface Kept extends Omit<BadPacket, 'number'> {
  /** Place in order of arrival. */
  came: number;
  kind: string;
  destQp: number | undefined;
  psn: number | undefined;
}

/** Most packets. A page numbers no more. */
const MAX_PACKETS = 200_000;
/** Most refusals that are examined. Further ones would show the same. */
const MAX_KEPT = 10_000;
/** Flag of the tap: the receiver found the ICRC wrong. */
const BAD_ICRC = 1;

export class BadPackets {
  /** Packet times, ns, in order of arrival. */
  readonly #times: number[] = [];
  readonly #kept: Kept[] = [];

  get seen(): number {
    return this.#times.length;
  }

  /** Adds a `packets` frame. */
  frame(frame: Uint8Array): void {
    if (decodeHeader(frame).kind !== 'packets') return;
    for (const { t, flags, bytes } of decodePackets(frame)) {
      if (this.#times.length >= MAX_PACKETS) return;
      // Packets are numbered by their time in whole nanoseconds.
      this.#times.push(Math.round(t));
      const { kind, src, dst, info, destQp, psn } = summarizePacket(bytes, LinkType.RAW);
      const icrc = (flags & BAD_ICRC) !== 0;
      if ((kind !== 'nak' && kind !== 'rnr' && !icrc) || this.#kept.length >= MAX_KEPT) continue;
      const what = icrc ? `wrong ICRC at the receiver: ${info}` : info;
      this.#kept.push({ t, src, dst, info: what, came: this.#times.length - 1, kind, destQp, psn });
    }
  }

  /**
   * Returns the packet that refused the first failed request. Without such a request or packet, returns the first bad
   * packet, preferably no RNR NAK.
   */
  first(groups: readonly ProblemOf[]): BadPacket | null {
    const byTime = this.#kept.toSorted((a, b) => a.t - b.t || a.came - b.came);
    const told = groups.find(({ failed, refused }) => failed !== null || refused !== null);
    const request = told?.failed?.request ?? told?.refused?.request;
    const refusedPsn = told?.refused?.request?.psn;
    const own = byTime.find(
      ({ destQp, psn }) =>
        destQp === request?.qpn && request !== undefined && (refusedPsn === undefined || psn === refusedPsn),
    );
    // RNR NAKs are no error while the sender may retry.
    const found = own ?? byTime.find(({ kind }) => kind !== 'rnr') ?? byTime[0];
    if (!found) return null;
    const { t, src, dst, info } = found;
    return { number: this.#numberOf(found), t, src, dst, info };
  }

  #numberOf({ came }: Kept): number {
    const own = this.#times[came]!;
    const before = this.#times.reduce((n, t, i) => n + (t < own || (t === own && i < came) ? 1 : 0), 0);
    return before + 1;
  }
}
