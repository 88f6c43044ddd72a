/**
 * ACKs, and the packets that each one acknowledges. Pure functions over a capture at the requester, in the order of the
 * capture.
 */
import type { PacketSummary } from '@verbslab/protocol';
import { isNak, PSN_MODULUS, RC } from '@verbslab/roce';
import { WRITE, withoutRepeats } from '../wire/messages.js';

export interface Ack {
  psn: number;
  /** Messages that the responder has completed, as the packet says. */
  msn: number | null;
  /** Packets that no earlier ACK acknowledged. */
  packets: number;
  /** WRITEs whose last packet is among them. */
  messages: number;
  /** Messages up to its PSN: what `msn` must be. */
  expected: number;
}

export interface Acknowledged {
  /** WRITE packets, each PSN once. */
  data: PacketSummary[];
  acks: Ack[];
  /** PSNs that are not those of the packet before them + 1, modulo 2^24. */
  gaps: number;
  /** ACKs with a PSN that no captured WRITE has, and NAKs. */
  stray: number;
}

const ends = (opcode: number): boolean => opcode === WRITE.last || opcode === WRITE.only;
const WRITES = new Set<number>(Object.values(WRITE));

/** WRITE packets that were sent, each PSN once. */
export const writesIn = (packets: readonly PacketSummary[]): PacketSummary[] =>
  withoutRepeats(packets.filter(({ direction, opcode }) => direction === 'sent' && WRITES.has(opcode))).once;

export const acksIn = (packets: readonly PacketSummary[]): PacketSummary[] =>
  packets.filter(({ direction, opcode }) => direction === 'received' && opcode === RC.acknowledge);

/** The whole capture of one queue pair that only WRITEs, fewer than 2^24 packets. */
export function acknowledged(packets: readonly PacketSummary[]): Acknowledged {
  const data = writesIn(packets);
  const place = new Map(data.map(({ psn }, i) => [psn, i]));
  let complete = 0;
  const upTo = data.map(({ opcode }) => (ends(opcode) ? ++complete : complete));
  let covered = -1;
  let stray = 0;
  const acks = acksIn(packets).flatMap(({ psn, msn = null, syndrome }): Ack[] => {
    const at = place.get(psn);
    if (at === undefined || isNak(syndrome)) {
      stray++;
      return [];
    }
    const before = covered;
    covered = Math.max(covered, at);
    const expected = upTo[at]!;
    return [
      { psn, msn, packets: covered - before, messages: upTo[covered]! - (upTo[before] ?? 0), expected },
    ];
  });
  const gaps = data.filter(({ psn }, i) => i > 0 && psn !== (data[i - 1]!.psn + 1) % PSN_MODULUS).length;
  return { data, acks, gaps, stray };
}

/** Place of the first packet behind the wrap; -1 where PSNs do not wrap. */
export const wrapAt = (data: readonly PacketSummary[]): number =>
  data.findIndex(({ psn }, i) => i > 0 && psn === 0 && data[i - 1]!.psn === PSN_MODULUS - 1);
