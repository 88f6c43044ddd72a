import type { OpcodeInfo } from '../../base/opcodes.js';
import { Mark } from '../../models/marks.js';

/** Classes of packets on a timeline. */
export const PacketClass = {
  ack: 0,
  request: 1,
  readResponse: 2,
  other: 3,
  retransmission: 4,
  responseAgain: 5,
  nak: 6,
  rnr: 7,
  broken: 8,
} as const;
export type PacketClass = (typeof PacketClass)[keyof typeof PacketClass];
export const PACKET_CLASSES = Object.keys(PacketClass).length;

const BROKEN = Mark.malformed | Mark['icrc-bad'];
/** The QP of connection management. */
export const CM_QP = 1;

/** Class of a packet by its opcode, marks and destination QP. */
export function packetClass(info: OpcodeInfo | undefined, marks: number, destQp: number): PacketClass {
  if ((marks & BROKEN) !== 0) return PacketClass.broken;
  if (!info || info.kind === 'cnp' || destQp === CM_QP) return PacketClass.other;
  if (info.request)
    return (marks & Mark.retransmission) !== 0 ? PacketClass.retransmission : PacketClass.request;
  if ((marks & Mark.nak) !== 0) return PacketClass.nak;
  if ((marks & Mark.rnr) !== 0) return PacketClass.rnr;
  if (info.kind !== 'read-response') return PacketClass.ack;
  return (marks & Mark.duplicate) !== 0 ? PacketClass.responseAgain : PacketClass.readResponse;
}

/** True if the packet answers a request, so that its PSN belongs to the other end. */
export const isAnswer = (of: PacketClass): boolean =>
  of === PacketClass.ack ||
  of === PacketClass.readResponse ||
  of === PacketClass.responseAgain ||
  of === PacketClass.nak ||
  of === PacketClass.rnr;

/** True if the packet's PSN belongs to a requester. */
export const hasPlace = (of: PacketClass): boolean => of !== PacketClass.other && of !== PacketClass.broken;
