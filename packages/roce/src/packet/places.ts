import { u16, u64 } from '../base/bytes.js';
import { CmAttribute } from '../headers/cm-attributes.js';
import { CM_LENGTH } from '../cm/common.js';
import { cmMessage, IP_CM_LENGTH, ipCm, isIpCmService, req, sidrReq } from '../cm/index.js';
import { payloadPlace } from './frame.js';
import type { Frame, PlacedHeader } from './frame.js';
import {
  aeth,
  atomicacketh,
  atomiceth,
  bth,
  deth,
  feth,
  ieth,
  xrceth,
  immdt,
  ipv4,
  mad,
  MAD_HEADER_LENGTH,
  rdeth,
  reth,
} from '../headers/index.js';
import { ICRC_LENGTH } from './icrc.js';
import type { Segment } from './segment.js';
import { isCm } from './summary.js';
import type { LayerId } from '../base/types.js';

export type { PlacedHeader } from './frame.js';

/** Bytes of a packet that no header covers. */
export interface Stretch {
  /** The layer's ID. Without it, the bytes are part of the previous layer. */
  id?: LayerId;
  name: string;
  title: string;
  doc: string;
  /** True if Wireshark has no field of this name. */
  ours?: boolean;
}

export const STRETCHES = {
  ipOptions: {
    name: 'ip.options',
    title: 'Options',
    doc: 'IPv4 options; RoCE does not use them.',
    ours: true,
  },
  payload: { id: 'payload', name: 'data.data', title: 'Payload', doc: 'What the application sent.' },
  madData: {
    id: 'payload',
    name: 'infiniband.mad.data',
    title: 'MAD Data',
    doc: 'What the application sent.',
  },
  ipCmPrivate: {
    name: 'infiniband.cm.req.ip_cm.private',
    title: 'Consumer private data',
    doc: 'Bytes that the application hands to its peer, such as the address and key of a buffer.',
  },
  pad: {
    id: 'pad',
    name: 'infiniband.pad',
    title: 'Pad',
    doc: 'Zero bytes that make the payload a multiple of four.',
    ours: true,
  },
  icrc: {
    id: 'icrc',
    name: 'infiniband.invariant.crc',
    title: 'Invariant CRC',
    doc: 'CRC-32 over everything that no router may change, from the IP header to the pad; if it is wrong, the receiver silently drops the packet.',
  },
  variantCrc: {
    id: 'trailer',
    name: 'infiniband.vcrc',
    title: 'Variant CRC',
    doc: 'CRC of one link of InfiniBand; each switch makes it again. Padding of the capture may follow.',
    ours: true,
  },
  trailer: {
    id: 'trailer',
    name: 'eth.trailer',
    title: 'Trailer',
    doc: 'Bytes after the IP packet: padding to the smallest Ethernet frame, or a frame check sequence.',
  },
} as const satisfies Record<string, Stretch>;

/** Receives the parts of a packet, in order. */
export interface PlaceVisitor {
  /** Fields beyond `length` belong to the next header. */
  header(header: PlacedHeader, offset: number, length: number): void;
  stretch(stretch: Stretch, offset: number, length: number): void;
}

const EXTENDED: Partial<Record<LayerId, PlacedHeader>> = {
  aeth,
  atomicacketh,
  atomiceth,
  deth,
  feth,
  ieth,
  xrceth,
  immdt,
  rdeth,
  reth,
};

/**
 * Walks over the headers of a located packet. Details and filters both start here, so that they agree on the content
 * of a packet. `part` is there for RoCE packets.
 */
export function eachPlace(
  bytes: Uint8Array,
  frame: Frame,
  part: Segment | undefined,
  see: PlaceVisitor,
): void {
  outer(frame, see);
  if (part) roce(bytes, frame, part, see);
  else {
    const { offset, length } = payloadPlace(frame);
    if (length > 0) see.stretch(STRETCHES.payload, offset, length);
  }
  if (frame.end < bytes.length && (frame.ip >= 0 || frame.lrh >= 0))
    see.stretch(
      frame.lrh >= 0 ? STRETCHES.variantCrc : STRETCHES.trailer,
      frame.end,
      bytes.length - frame.end,
    );
}

function put(header: PlacedHeader, offset: number, end: number, see: PlaceVisitor): boolean {
  const fits = offset + header.length <= end;
  if (fits) see.header(header, offset, header.length);
  return fits;
}

/** Visits the headers from the link layer to TCP or UDP. */
function outer({ headers }: Frame, see: PlaceVisitor): void {
  for (let i = 0; i < headers.count; i++) {
    const header = headers.header(i);
    const offset = headers.offset(i);
    const length = headers.length(i);
    see.header(header, offset, length);
    if (header === ipv4 && length > ipv4.length)
      see.stretch(STRETCHES.ipOptions, offset + ipv4.length, length - ipv4.length);
  }
}

function roce(bytes: Uint8Array, frame: Frame, part: Segment, see: PlaceVisitor): void {
  // Headers are read from the packet alone, not from bytes behind it in the frame.
  const { end } = frame;
  const headersEnd = part.icrc >= 0 ? part.icrc : end;
  if (!put(bth, frame.bth, end, see)) return;
  let at = part.headers;
  for (const id of part.info?.headers ?? []) {
    const header = EXTENDED[id]!;
    if (!put(header, at, headersEnd, see)) break;
    at += header.length;
  }
  if (part.payloadCaptured > 0) {
    if (isCm(bytes, frame, part)) cm(bytes, end, part, see);
    else see.stretch(STRETCHES.payload, part.payload, part.payloadCaptured);
  }
  if (part.padLength > 0) see.stretch(STRETCHES.pad, part.payload + part.payloadLength, part.padLength);
  if (part.icrc >= 0) see.stretch(STRETCHES.icrc, part.icrc, ICRC_LENGTH);
}

function cm(bytes: Uint8Array, end: number, part: Segment, see: PlaceVisitor): void {
  if (!put(mad, part.payload, end, see)) return;
  const attribute = u16(bytes, part.payload + 16);
  const at = part.payload + MAD_HEADER_LENGTH;
  const there = part.payloadCaptured - MAD_HEADER_LENGTH;
  const message = cmMessage(attribute);
  if (!message || there < CM_LENGTH) {
    if (there > 0) see.stretch(STRETCHES.madData, at, there);
    return;
  }
  const asks = attribute === CmAttribute.REQ || attribute === CmAttribute.SIDR_REQ;
  if (!asks || !isIpCmService(u64(bytes, at + 8))) {
    see.header(message, at, message.length);
    return;
  }
  // The private data begins with the IP addresses: they are a layer of their own.
  const data = (attribute === CmAttribute.REQ ? req : sidrReq).fields.privateData;
  see.header(message, at, data.offset);
  see.header(ipCm, at + data.offset, data.length);
  see.stretch(STRETCHES.ipCmPrivate, at + data.offset + IP_CM_LENGTH, data.length - IP_CM_LENGTH);
}
