/** Totals of the packets of one job. Pure functions over the packets that the tap captured. */
import type { Move, PacketSummary } from '@verbslab/protocol';
import { opcodeInfo } from '@verbslab/roce';
import { packetsOf } from '../wire/segments.js';

export interface Wire {
  packets: number;
  /** Bytes of all IP packets; null where an older agent does not report them. */
  bytes: number | null;
  roundTrips: number;
  /** Packets other than READ requests and ACKs, each once. */
  data: number;
}

const isAck = ({ opcode }: PacketSummary): boolean => opcodeInfo(opcode)?.kind === 'ack';

/**
 * Round trips: changes of the wire’s direction and back. The ends of messages and responses count, and the ACK of the
 * last one. Nothing waits for an earlier ACK: the packets after it are on their way already, or answer a message of the
 * peer.
 */
function roundTripsOf(packets: readonly PacketSummary[]): number {
  const turning = packets.filter((packet) => !isAck(packet) && opcodeInfo(packet.opcode)?.last);
  const last = packets.at(-1);
  if (last && isAck(last)) turning.push(last);
  const runs = turning.filter(({ direction }, i) => direction !== turning[i - 1]?.direction).length;
  return Math.floor(runs / 2);
}

export function wireOf(packets: readonly PacketSummary[]): Wire {
  const known = packets.every(({ length }) => length !== undefined);
  const seen = new Set<string>();
  const data = packets.filter((packet) => {
    const key = `${packet.direction} ${packet.psn}`;
    if (isAck(packet) || opcodeInfo(packet.opcode)?.kind === 'read-request' || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return {
    packets: packets.length,
    bytes: known ? packets.reduce((sum, { length = 0 }) => sum + length, 0) : null,
    roundTrips: roundTripsOf(packets),
    data: data.length,
  };
}

/** The data packets of these requests: messages and READ responses cut at the path MTU, two packets for an atomic. */
export function expectedData(moves: readonly Move[], mtu: number): number {
  let packets = 0;
  for (const one of moves) {
    if (one.move !== 'post') continue;
    const bytes = (one.wr.local ?? []).reduce((sum, { length = 0 }) => sum + length, 0);
    packets += one.wr.opcode.startsWith('ATOMIC') ? 2 : packetsOf(bytes, mtu);
  }
  return packets;
}
