import { hexNumber, ipv4Text, ipv6Text, macText, u16, u24, u32, u64 } from '../base/bytes.js';
import { pauseOf, pauseText } from './pause.js';
import { CmAttribute, cmMessageName, rejectReasonText } from '../headers/cm-attributes.js';
import { serviceIdText } from '../cm/common.js';
import { payloadPlace } from './frame.js';
import type { Frame } from './frame.js';
import { AethType, aethType, syndromeText } from '../headers/aeth.js';
import { EtherType, etherTypeName } from '../headers/ethernet.js';
import { IpProtocol, protocolName } from '../headers/ip.js';
import { CM_CLASS, MAD_HEADER_LENGTH } from '../headers/mad.js';
import { HEADER_LENGTH, opcodeName } from '../base/opcodes.js';
import { linkTypeText, locate } from './locate.js';
import { segment } from './segment.js';
import type { Segment } from './segment.js';
import { LinkType } from '../base/types.js';
import type { LayerId, PacketSummary } from '../base/types.js';

/**
 * The columns of a packet list. This reads only the bytes it needs and builds no field objects, so that a
 * hundred thousand packets can be listed at once; `decodePacket` shows one of them in full.
 */
export function summarizePacket(
  bytes: Uint8Array,
  linkType: number,
  ports?: readonly number[],
): PacketSummary {
  return summarizeFrame(bytes, locate(bytes, linkType, ports)).summary;
}

export interface Located {
  frame: Frame;
  segment?: Segment;
  summary: PacketSummary;
}

export function summarizeFrame(bytes: Uint8Array, frame: Frame): Located {
  const summary: PacketSummary = {
    kind: 'other',
    protocol: '',
    src: '',
    dst: '',
    payloadOffset: 0,
    payloadLength: 0,
    info: '',
  };
  addresses(bytes, frame, summary);
  if (frame.bth >= 0) {
    const part = segment(bytes, frame);
    roce(bytes, frame, part, summary);
    return { frame, segment: part, summary };
  }
  notRoce(bytes, frame, summary);
  return { frame, summary };
}

function addresses(bytes: Uint8Array, frame: Frame, s: PacketSummary): void {
  const { ip } = frame;
  if (frame.ipKind === 'ipv4') {
    s.src = ipv4Cached(bytes, ip + 12);
    s.dst = ipv4Cached(bytes, ip + 16);
    s.ecn = bytes[ip + 1]! & 3;
  } else if (frame.ipKind !== 'none') {
    s.src = ipv6Cached(bytes, ip + 8);
    s.dst = ipv6Cached(bytes, ip + 24);
    s.ecn = (bytes[ip + 1]! >>> 4) & 3;
  } else if (frame.lrh >= 0) {
    s.src = lidText(u16(bytes, frame.lrh + 6));
    s.dst = lidText(u16(bytes, frame.lrh + 2));
  } else if (frame.linkType === LinkType.ETHERNET && bytes.length >= 14) {
    s.src = macText(bytes, 6);
    s.dst = macText(bytes, 0);
  }
}

export const lidText = (lid: number): string => `LID ${lid}`;

// Few addresses occur in one capture, and making their text costs more than the rest of a summary.
const ipv4Texts = new Map<number, string>();
const ipv6Texts = new Map<string, string>();
const CACHE_LIMIT = 4096;

function ipv4Cached(bytes: Uint8Array, at: number): string {
  const key = u32(bytes, at);
  let text = ipv4Texts.get(key);
  if (text === undefined) {
    if (ipv4Texts.size >= CACHE_LIMIT) ipv4Texts.clear();
    text = ipv4Text(bytes, at);
    ipv4Texts.set(key, text);
  }
  return text;
}

function ipv6Cached(bytes: Uint8Array, at: number): string {
  let key = '';
  for (let i = 0; i < 16; i += 2) key += String.fromCharCode(u16(bytes, at + i));
  let text = ipv6Texts.get(key);
  if (text === undefined) {
    if (ipv6Texts.size >= CACHE_LIMIT) ipv6Texts.clear();
    text = ipv6Text(bytes, at);
    ipv6Texts.set(key, text);
  }
  return text;
}

function notRoce(bytes: Uint8Array, frame: Frame, s: PacketSummary): void {
  const payload = payloadPlace(frame);
  s.payloadOffset = payload.offset;
  s.payloadLength = payload.length;
  if (frame.error) {
    s.error = frame.error;
    s.kind = 'malformed';
  }
  if (!frame.supported) {
    s.protocol = 'Unknown';
    s.info = `${linkTypeText(frame.linkType)} is not supported`;
    return;
  }
  if (pauseColumns(bytes, frame, s)) return;
  if (frame.ipKind === 'none') {
    s.protocol = frame.etherType ? etherTypeName(frame.etherType) : 'Unknown';
    s.info = frame.error?.message ?? `${s.protocol}, ${s.payloadLength} bytes`;
    return;
  }
  s.protocol = protocolText(frame);
  if (frame.error) {
    s.info = frame.error.message;
  } else if (frame.fragment) {
    s.info = `IP fragment of ${s.protocol}, ${s.payloadLength} bytes`;
  } else if (frame.protocol === IpProtocol.TCP) {
    tcpColumns(bytes, frame, s);
  } else if (frame.protocol === IpProtocol.UDP) {
    s.srcPort = u16(bytes, frame.l4);
    s.dstPort = u16(bytes, frame.l4 + 2);
    s.info = `${s.srcPort} → ${s.dstPort}, ${s.payloadLength} bytes`;
  } else {
    s.info = `${s.protocol}, ${s.payloadLength} bytes`;
  }
}

/** Protocol of a packet that is not RoCE; for a tunnel, the protocol inside. */
function protocolText({ etherType, ipKind, protocol, lrh }: Frame): string {
  if (ipKind === 'grh') return lrh >= 0 ? 'InfiniBand' : 'RoCEv1';
  const inTunnel = etherType !== EtherType.IPV4 && etherType !== EtherType.IPV6 && etherType !== 0;
  return inTunnel ? etherTypeName(etherType) : protocolName(protocol);
}

/** Columns of a pause frame; false for other packets. */
function pauseColumns(bytes: Uint8Array, frame: Frame, s: PacketSummary): boolean {
  const asked = pauseOf(bytes, frame);
  if (!asked) return false;
  s.protocol = asked.priorities ? 'PFC' : 'PAUSE';
  s.info = pauseText(asked);
  return true;
}

const TCP_FLAGS: [number, string][] = [
  [0x02, 'SYN'],
  [0x10, 'ACK'],
  [0x08, 'PSH'],
  [0x01, 'FIN'],
  [0x04, 'RST'],
];

function tcpColumns(bytes: Uint8Array, frame: Frame, s: PacketSummary): void {
  const at = frame.l4;
  s.srcPort = u16(bytes, at);
  s.dstPort = u16(bytes, at + 2);
  const flags = bytes[at + 13]!;
  const names = TCP_FLAGS.filter(([bit]) => flags & bit).map(([, name]) => name);
  s.info = `${s.srcPort} → ${s.dstPort} [${names.join(', ')}] ${s.payloadLength} bytes`;
}

function roce(bytes: Uint8Array, frame: Frame, part: Segment, s: PacketSummary): void {
  const { bth } = frame;
  const native = frame.lrh >= 0;
  s.protocol = native ? 'InfiniBand' : frame.ipKind === 'grh' ? 'RoCEv1' : 'RoCEv2';
  if (!native && frame.ipKind !== 'grh') {
    s.srcPort = u16(bytes, bth - 8);
    s.dstPort = u16(bytes, bth - 6);
  }
  s.payloadOffset = part.payload;
  s.payloadLength = part.payloadLength;
  const error = frame.error ?? part.error;
  if (error) s.error = error;
  if (frame.truncated && !frame.error && frame.end >= bth + 12) s.cut = true;
  if (frame.end < bth + 12) {
    s.kind = 'malformed';
    s.info = error?.message ?? 'no BTH';
    return;
  }
  s.opcode = bytes[bth]!;
  s.destQp = u24(bytes, bth + 5);
  s.psn = u24(bytes, bth + 9);
  s.ackReq = (bytes[bth + 8]! & 0x80) !== 0;
  if (bytes[bth + 1]! & 0x80) s.solicited = true;
  s.kind = part.info?.kind ?? 'other';
  extended(bytes, frame, part, s);
  if (error && !s.cut && !part.unknown) s.kind = 'malformed';
  s.info = infoLine(bytes, part, s);
}

type Reader = (bytes: Uint8Array, at: number, s: PacketSummary) => void;

const readAddress: Reader = (bytes, at, s) => {
  s.va = u64(bytes, at);
  s.rkey = u32(bytes, at + 8);
};

const READERS: Partial<Record<LayerId, Reader>> = {
  atomiceth: readAddress,
  reth(bytes, at, s) {
    readAddress(bytes, at, s);
    s.dmaLength = u32(bytes, at + 12);
  },
  aeth(bytes, at, s) {
    s.syndrome = bytes[at]!;
    s.msn = u24(bytes, at + 1);
    if (s.kind !== 'ack') return;
    const type = aethType(s.syndrome);
    if (type === AethType.NAK) s.kind = 'nak';
    else if (type === AethType.RNR) s.kind = 'rnr';
  },
  deth(bytes, at, s) {
    s.srcQp = u24(bytes, at + 5);
  },
  immdt(bytes, at, s) {
    s.imm = u32(bytes, at);
  },
};

/** Columns from the extended headers. */
function extended(bytes: Uint8Array, frame: Frame, part: Segment, s: PacketSummary): void {
  if (!part.info) return;
  let at = part.headers;
  const stop = part.icrc >= 0 ? part.icrc : frame.end;
  for (const id of part.info.headers) {
    const next = at + HEADER_LENGTH[id]!;
    if (next > stop) return;
    READERS[id]?.(bytes, at, s);
    at = next;
  }
  if (isCm(bytes, frame, part)) {
    s.kind = 'cm';
    const name = cmMessageName(u16(bytes, part.payload + 16));
    if (name !== undefined) s.cm = name;
  }
}

/** True for a datagram to QP1 that begins with a MAD header of the connection management class. */
export function isCm(bytes: Uint8Array, frame: Frame, part: Segment): boolean {
  return (
    u24(bytes, frame.bth + 5) === 1 &&
    part.info?.transport === 'UD' &&
    part.payloadCaptured >= MAD_HEADER_LENGTH &&
    bytes[part.payload + 1] === CM_CLASS
  );
}

function infoLine(bytes: Uint8Array, part: Segment, s: PacketSummary): string {
  if (s.cm !== undefined) return `CM ${s.cm}${cmDetail(bytes, part)}`;
  let line = `${opcodeName(s.opcode!)} QP=${hexNumber(s.destQp!, 6)} PSN=${s.psn!}`;
  if (s.syndrome !== undefined) line += ` MSN=${s.msn!}`;
  if (s.kind === 'nak' || s.kind === 'rnr') line += ` ${syndromeText(s.syndrome!)}`;
  if (s.va !== undefined) line += ` va=${hexNumber(s.va, 1)} rkey=${hexNumber(s.rkey!, 8)}`;
  if (s.dmaLength !== undefined) line += ` DMA len=${s.dmaLength}`;
  if (s.imm !== undefined) line += ` imm=${hexNumber(s.imm, 8)}`;
  if (s.srcQp !== undefined) line += ` from QP=${hexNumber(s.srcQp, 6)}`;
  if (s.payloadLength > 0 && part.info?.transport !== 'CNP') line += ` payload=${s.payloadLength}`;
  if (s.ecn === 3) line += ' [ECN marked]';
  if (s.error && !s.cut) line += ` [${s.error.message}]`;
  if (s.cut) line += ` [cut to ${bytes.length} bytes]`;
  return line;
}

/** The main fields of a CM message: QPNs, PSNs, the service, the reason. */
function cmDetail(bytes: Uint8Array, part: Segment): string {
  const m = part.payload + MAD_HEADER_LENGTH;
  const length = part.payloadCaptured - MAD_HEADER_LENGTH;
  if (length < 24) return '';
  switch (u16(bytes, part.payload + 16)) {
    case CmAttribute.REQ:
      return length < 48
        ? ''
        : ` from QP=${hexNumber(u24(bytes, m + 32), 6)} PSN=${u24(bytes, m + 44)} to ${serviceIdText(u64(bytes, m + 8))}`;
    case CmAttribute.REP:
      return ` from QP=${hexNumber(u24(bytes, m + 12), 6)} PSN=${u24(bytes, m + 20)}`;
    case CmAttribute.REJ:
      return `: ${rejectReasonText(u16(bytes, m + 10))}`;
    case CmAttribute.DREQ:
      return ` QP=${hexNumber(u24(bytes, m + 8), 6)}`;
    case CmAttribute.SIDR_REQ:
      return ` to ${serviceIdText(u64(bytes, m + 8))}`;
    case CmAttribute.SIDR_REP:
      return ` QP=${hexNumber(u24(bytes, m + 8), 6)}`;
    default:
      return '';
  }
}
