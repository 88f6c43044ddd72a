/** Checks of captured packets against the rules of the wire. Pure functions over the packets that the tap captured. */
import type { PacketSummary } from '@verbslab/protocol';
import { isNak, operationName, psnDistance, RC } from '@verbslab/roce';
import { formatCount, plural, runList } from '../base/format.js';

/** Opcodes of a message that is cut at the path MTU. */
export interface MessageOpcodes {
  first: number;
  middle: number;
  last: number;
  only: number;
}

export const WRITE: MessageOpcodes = {
  first: RC.writeFirst,
  middle: RC.writeMiddle,
  last: RC.writeLast,
  only: RC.writeOnly,
};
export const SEND: MessageOpcodes = {
  first: RC.sendFirst,
  middle: RC.sendMiddle,
  last: RC.sendLast,
  only: RC.sendOnly,
};
export const READ_RESPONSE: MessageOpcodes = {
  first: RC.readResponseFirst,
  middle: RC.readResponseMiddle,
  last: RC.readResponseLast,
  only: RC.readResponseOnly,
};

/** AETH syndrome of a NAK that says that packets are missing. */
const PSN_SEQUENCE_NAK = 0x60;

export interface Verdict {
  ok: boolean;
  detail: string;
}

const bad = (detail: string): Verdict => ({ ok: false, detail });

const belongs = (opcodes: MessageOpcodes, opcode: number): boolean =>
  opcode === opcodes.first || opcode === opcodes.middle || opcode === opcodes.last || opcode === opcodes.only;

/** The first packet of each PSN, and the number of packets that repeat one. */
export function withoutRepeats(packets: readonly PacketSummary[]): {
  once: PacketSummary[];
  repeated: number;
} {
  const seen = new Set<number>();
  const once = packets.filter(({ psn }) => !seen.has(psn) && seen.add(psn));
  return { once, repeated: packets.length - once.length };
}

/**
 * Data packets of one or more messages, in the order of the wire: First Middle* Last, or Only; all but the end of a
 * message exactly the path MTU long; PSNs one after the other. `bytes` is their payload.
 */
export function checkSegments(
  packets: readonly PacketSummary[],
  opcodes: MessageOpcodes,
  mtu: number,
): Verdict & { bytes: number; messages: number } {
  let inMessage = false;
  let bytes = 0;
  let messages = 0;
  let psn: number | undefined;
  const fault = (packet: PacketSummary, why: string): Verdict & { bytes: number; messages: number } => ({
    ...bad(`${operationName(packet.opcode)} with PSN ${formatCount(packet.psn)} ${why}`),
    bytes,
    messages,
  });
  for (const packet of packets) {
    const { opcode, payload } = packet;
    if (!belongs(opcodes, opcode)) return fault(packet, 'does not belong here');
    const begins = opcode === opcodes.first || opcode === opcodes.only;
    const ends = opcode === opcodes.last || opcode === opcodes.only;
    if (begins === inMessage)
      return fault(packet, begins ? 'begins a message inside another' : 'has no First');
    if (!ends && payload !== mtu)
      return fault(packet, `carries ${payload} B instead of the path MTU, ${mtu} B`);
    if (payload > mtu) return fault(packet, `carries ${payload} B, more than the path MTU, ${mtu} B`);
    if (psn !== undefined && packet.psn !== ((psn + 1) & 0xff_ffff))
      return fault(packet, `does not follow PSN ${formatCount(psn)}`);
    psn = packet.psn;
    bytes += payload;
    if (ends) messages++;
    inMessage = !ends;
  }
  return { ok: true, detail: '', bytes, messages };
}

/**
 * Packets as they would be without faults: those that fault injection dropped or damaged are left out, since RC sends
 * them again, and the others are in the order of their PSNs if there were any faults.
 */
export function withoutFaults(packets: readonly PacketSummary[]): PacketSummary[] {
  const whole = packets.filter(({ fault }) => fault !== 'drop' && fault !== 'corrupt');
  const first = whole[0]?.psn ?? 0;
  const place = ({ psn }: PacketSummary): number => psnDistance(first, psn);
  return packets.some(({ fault }) => fault) ? whole.sort((a, b) => place(a) - place(b)) : whole;
}

/** Answers to a loss: NAKs of a gap. They are no failure once what was lost has been retransmitted. */
const isGapNak = ({ opcode, syndrome }: PacketSummary): boolean =>
  opcode === RC.acknowledge && syndrome === PSN_SEQUENCE_NAK;

/** The packets of one WRITE and its acknowledgment. A loss that was repaired is no fault of it. */
export function checkWrite(packets: readonly PacketSummary[], size: number, mtu: number): Verdict {
  const all = packets.filter(({ direction }) => direction === 'sent');
  const { once } = withoutRepeats(withoutFaults(all));
  const sent = { once, repeated: all.length - once.length };
  const received = packets.filter(({ direction }) => direction === 'received');
  const segments = checkSegments(sent.once, WRITE, mtu);
  if (!segments.ok) return segments;
  if (segments.bytes !== size)
    return bad(`The WRITE’s packets carry ${segments.bytes} B instead of ${size} B.`);
  const stray = received.find(({ opcode }) => opcode !== RC.acknowledge);
  if (stray) return bad(`A ${operationName(stray.opcode)} came back instead of an ACK.`);
  const nak = received.find((one) => isNak(one.syndrome) && !(sent.repeated > 0 && isGapNak(one)));
  if (nak) return bad(`The answer was a NAK (syndrome 0x${(nak.syndrome ?? 0).toString(16)}).`);
  const last = sent.once.at(-1)?.psn;
  const acks = received.filter(({ syndrome }) => !isNak(syndrome)).length;
  if (!received.some(({ psn }) => psn === last)) return bad('No ACK names the PSN of the last packet.');
  return {
    ok: true,
    detail: `${packetList(sent.once)}, answered by ${plural(acks, 'ACK')}${again(sent.repeated)}.`,
  };
}

/** The packets of one READ: requests out, responses in. The requester may split a long READ into several requests. */
export function checkRead(packets: readonly PacketSummary[], size: number, mtu: number): Verdict {
  const sent = withoutRepeats(withoutFaults(packets.filter(({ direction }) => direction === 'sent')));
  const received = withoutRepeats(withoutFaults(packets.filter(({ direction }) => direction === 'received')));
  const stray = sent.once.find(({ opcode }) => opcode !== RC.readRequest);
  if (stray) return bad(`A ${operationName(stray.opcode)} was sent instead of a READ request.`);
  if (sent.once.length === 0) return bad('No READ request was captured.');
  const nak = received.once.find(({ opcode, syndrome }) => opcode === RC.acknowledge && isNak(syndrome));
  if (nak) return bad(`The answer was a NAK (syndrome 0x${(nak.syndrome ?? 0).toString(16)}).`);
  const segments = checkSegments(received.once, READ_RESPONSE, mtu);
  if (!segments.ok) return segments;
  if (segments.bytes !== size) return bad(`The responses carry ${segments.bytes} B instead of ${size} B.`);
  if (segments.messages !== sent.once.length)
    return bad(
      `${plural(sent.once.length, 'READ request')} got ${plural(segments.messages, 'whole response')}.`,
    );
  return {
    ok: true,
    detail:
      `${plural(sent.once.length, 'READ request')}, answered by ${packetList(received.once)}` +
      `${again(sent.repeated + received.repeated)}.`,
  };
}

const again = (repeated: number): string =>
  repeated === 0 ? '' : `; ${plural(repeated, 'packet')} retransmitted`;

/** `WRITE First, 2 WRITE Middle, WRITE Last`. */
export const packetList = (packets: readonly PacketSummary[]): string =>
  runList(packets.map(({ opcode }) => operationName(opcode)));
