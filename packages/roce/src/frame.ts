import { EtherType } from './headers/ethernet.js';
import type { FieldTable, Header } from './header.js';
import type { DecodeError, LayerId } from './types.js';

export type PlacedHeader = Pick<Header<FieldTable>, 'id' | 'name' | 'title' | 'length' | 'fields' | 'layer'>;

/**
 * Headers that are read of one packet. Networks stack a dozen at most; Wireshark, too, stops at a depth, so that a
 * packet full of tags or tunnels does not become thousands of headers.
 */
const MAX_HEADERS = 64;

/**
 * Where the headers of a packet are. Summary, details and ICRC all start from it. What is in a tunnel counts: the
 * IP header is the innermost. Making one never throws and never reads outside the packet.
 */
export interface Frame {
  linkType: number;
  /** False for a link type that is not read: nothing of the packet is known. */
  supported: boolean;
  /** The last one. */
  etherType: number;
  /** Headers from the link layer to TCP or UDP, in order: what it is, its offset and its length, three each. */
  readonly headers: (PlacedHeader | number)[];
  /** VLAN tags so far. */
  vlans: number;
  /** Offset of the IPv4, IPv6 or GRH header; -1 when there is none. */
  ip: number;
  ipKind: 'ipv4' | 'ipv6' | 'grh' | 'none';
  ipHeaderLength: number;
  /** Protocol number of what follows IP. */
  protocol: number;
  /** Offset of what follows IP and its extension headers: TCP, UDP or payload. */
  l4: number;
  /** Offset of what follows the last header known. */
  rest: number;
  /** EtherType of what is at `rest` and not read yet; -1 when there is nothing to read. */
  next: number;
  /** True for every fragment of a fragmented IP packet. */
  fragment: boolean;
  /** Offset of the fragment header of IPv6; -1 when there is none. */
  fragmentHeader: number;
  /** Offset of the LRH of native InfiniBand; -1 when there is none. */
  lrh: number;
  /** Offset of the BTH; -1 when this is not RoCE. */
  bth: number;
  /** One past the last byte of the packet by its own length fields, and within the capture. */
  end: number;
  /** One past the last byte of the packet by its own length fields, captured or not. */
  fullEnd: number;
  /** The capture cut the packet short. */
  truncated: boolean;
  /** UDP ports that carry RoCEv2 besides 4791. */
  ports: readonly number[] | undefined;
  error?: DecodeError;
}

export const newFrame = (length: number, linkType: number, ports: readonly number[] | undefined): Frame => ({
  linkType,
  supported: true,
  etherType: 0,
  headers: [],
  vlans: 0,
  ip: -1,
  ipKind: 'none',
  ipHeaderLength: 0,
  protocol: -1,
  l4: 0,
  rest: 0,
  next: -1,
  fragment: false,
  fragmentHeader: -1,
  lrh: -1,
  bth: -1,
  end: length,
  fullEnd: length,
  truncated: false,
  ports,
});

export function fail(frame: Frame, offset: number, layer: LayerId | 'packet', message: string): void {
  frame.error ??= { offset, layer, message };
}

/** Whether the packet ends before a header of this length; then the error says so. */
export function tooShort(
  frame: Frame,
  bytes: Uint8Array,
  offset: number,
  layer: LayerId,
  needed: number,
): boolean {
  const there = frame.end - offset;
  if (there >= needed) return false;
  // What ends with the bytes of the capture was cut by it; what ends before contradicts itself.
  if (frame.end === bytes.length) frame.truncated = true;
  fail(
    frame,
    frame.end,
    layer,
    `the packet ends after ${Math.max(there, 0)} of ${needed} bytes of this header`,
  );
  return true;
}

/** Notes a header that is there as a whole; false where there are too many. */
export function put(frame: Frame, header: PlacedHeader, offset: number, length: number): boolean {
  frame.rest = offset + length;
  if (frame.headers.length === 3 * MAX_HEADERS) {
    fail(frame, offset, header.id, `more than ${MAX_HEADERS} headers: the rest is not read`);
    return false;
  }
  frame.headers.push(header, offset, length);
  return true;
}

/** Notes what a tunnel holds: a header of the network layer, or Ethernet. */
export function readOn(frame: Frame, type: number, at: number): void {
  frame.next = type;
  frame.rest = at;
}

/** Sets `end` from the length that a header states. */
export function limit(frame: Frame, end: number): void {
  frame.fullEnd = end;
  // A tunnel may hold less than the packet in it had: some switches mirror only its beginning.
  if (end > frame.end) frame.truncated = true;
  else frame.end = end;
}

/** Where the payload of a packet that is not RoCE is: all that follows the last header known. */
export function payloadPlace(frame: Frame): { offset: number; length: number } {
  const offset = Math.min(frame.rest, frame.end);
  return { offset, length: frame.end - offset };
}

export const isVlan = (type: number): boolean =>
  type === EtherType.VLAN || type === EtherType.QINQ || type === EtherType.OLD_QINQ;
