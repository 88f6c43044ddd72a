import { EtherType } from '../headers/ethernet.js';
import type { FieldTable, Header } from '../base/header.js';
import type { DecodeError, LayerId } from '../base/types.js';

export type PlacedHeader = Pick<Header<FieldTable>, 'id' | 'name' | 'title' | 'length' | 'fields' | 'layer'>;

/**
 * Headers that are read of one packet. Networks stack a dozen at most; Wireshark, too, stops at a depth, so that a
 * packet full of tags or tunnels does not become thousands of headers.
 */
const MAX_HEADERS = 64;

/** The headers of a packet from the link layer to TCP or UDP, in order. */
export class Headers {
  /** What it is, its offset and its length: three each, and behind `count` of them what an earlier packet had. */
  readonly #places: (PlacedHeader | number)[] = [];
  count = 0;

  add(header: PlacedHeader, offset: number, length: number): void {
    const at = 3 * this.count++;
    this.#places[at] = header;
    this.#places[at + 1] = offset;
    this.#places[at + 2] = length;
  }

  header(index: number): PlacedHeader {
    return this.#places[3 * index] as PlacedHeader;
  }

  offset(index: number): number {
    return this.#places[3 * index + 1] as number;
  }

  length(index: number): number {
    return this.#places[3 * index + 2] as number;
  }

  /** Index of the last one of a kind; -1 when there is none. */
  last(header: PlacedHeader): number {
    let index = this.count - 1;
    while (index >= 0 && this.header(index) !== header) index--;
    return index;
  }
}

/**
 * Where the headers of a packet are. Summary, details and ICRC all start from it. What is in a tunnel counts: the
 * IP header is the innermost. Making one never throws and never reads outside the packet. One object may serve many
 * packets, one after the other.
 */
export class Frame {
  linkType = 0;
  /** False for a link type that is not read: nothing of the packet is known. */
  supported = true;
  /** The last one. */
  etherType = 0;
  readonly headers = new Headers();
  /** VLAN tags so far. */
  vlans = 0;
  /** Offset of the IPv4, IPv6 or GRH header; -1 when there is none. */
  ip = -1;
  ipKind: 'ipv4' | 'ipv6' | 'grh' | 'none' = 'none';
  ipHeaderLength = 0;
  /** Protocol number of what follows IP. */
  protocol = -1;
  /** Offset of what follows IP and its extension headers: TCP, UDP or payload. */
  l4 = 0;
  /** Offset of what follows the last header known. */
  rest = 0;
  /** EtherType of what is at `rest` and not read yet; -1 when there is nothing to read. */
  next = -1;
  /** True for every fragment of a fragmented IP packet. */
  fragment = false;
  /** Offset of the fragment header of IPv6; -1 when there is none. */
  fragmentHeader = -1;
  /** Offset of the LRH of native InfiniBand; -1 when there is none. */
  lrh = -1;
  /** Offset of the BTH; -1 when this is not RoCE. */
  bth = -1;
  /** One past the last byte of the packet by its own length fields, and within the capture. */
  end = 0;
  /** One past the last byte of the packet by its own length fields, captured or not. */
  fullEnd = 0;
  /** The capture cut the packet short. */
  truncated = false;
  /** UDP ports that carry RoCEv2 besides 4791. */
  ports: readonly number[] | undefined = undefined;
  error: DecodeError | undefined = undefined;

  /** Nothing of a packet of `length` bytes is known yet. */
  begin(length: number, linkType: number, ports: readonly number[] | undefined): void {
    this.linkType = linkType;
    this.supported = true;
    this.etherType = 0;
    this.headers.count = 0;
    this.vlans = 0;
    this.ip = -1;
    this.ipKind = 'none';
    this.ipHeaderLength = 0;
    this.protocol = -1;
    this.l4 = this.rest = 0;
    this.next = -1;
    this.fragment = false;
    this.fragmentHeader = this.lrh = this.bth = -1;
    this.end = this.fullEnd = length;
    this.truncated = false;
    this.ports = ports;
    this.error = undefined;
  }
}

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
  if (frame.headers.count === MAX_HEADERS) {
    fail(frame, offset, header.id, `more than ${MAX_HEADERS} headers: the rest is not read`);
    return false;
  }
  frame.headers.add(header, offset, length);
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
