import { EtherType } from '../headers/ethernet.js';
import type { FieldTable, Header } from '../base/header.js';
import type { DecodeError, LayerId } from '../base/types.js';

export type PlacedHeader = Pick<Header<FieldTable>, 'id' | 'name' | 'title' | 'length' | 'fields' | 'layer'>;

/**
 * Limit of headers that are read of a packet. Networks stack a dozen at most. With a limit, as in Wireshark, a packet
 * full of tags or tunnels does not become thousands of headers.
 */
const MAX_HEADERS = 64;

/** The headers of a packet from the link layer to TCP or UDP, in order. */
export class Headers {
  /** Header, offset and length in turn. Entries behind `count` headers are left from an earlier packet. */
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

  /** Index of the last header of a kind; -1 if there is none. */
  last(header: PlacedHeader): number {
    let index = this.count - 1;
    while (index >= 0 && this.header(index) !== header) index--;
    return index;
  }
}

/**
 * Places of the headers of a packet. Summary, details and ICRC all start from it. The content of a tunnel counts: the
 * IP header is the innermost. Filling a frame never throws and never reads outside the packet. One object may
 * serve many packets, one after the other.
 */
export class Frame {
  linkType = 0;
  /** False for a link type that is not read: nothing of the packet is known. */
  supported = true;
  /** The last EtherType. */
  etherType = 0;
  readonly headers = new Headers();
  /** VLAN tags so far. */
  vlans = 0;
  /** Offset of the IPv4, IPv6 or GRH header; -1 when there is none. */
  ip = -1;
  ipKind: 'ipv4' | 'ipv6' | 'grh' | 'none' = 'none';
  ipHeaderLength = 0;
  /** Protocol number after IP. */
  protocol = -1;
  /** Offset after IP and its extension headers: TCP, UDP or payload. */
  l4 = 0;
  /** Offset after the last known header. */
  rest = 0;
  /** EtherType of the content at `rest` that is not read yet; -1 if there is nothing to read. */
  next = -1;
  /** True for every fragment of a fragmented IP packet. */
  fragment = false;
  /** Offset of the fragment header of IPv6; -1 when there is none. */
  fragmentHeader = -1;
  /** Offset of the LRH of native InfiniBand; -1 when there is none. */
  lrh = -1;
  /** Offset of the BTH; -1 when this is not RoCE. */
  bth = -1;
  /** Offset after the last byte of the packet by its own length fields, and within the capture. */
  end = 0;
  /** Offset after the last byte of the packet by its own length fields, captured or not. */
  fullEnd = 0;
  /** The capture cut the packet short. */
  truncated = false;
  /** UDP ports that carry RoCEv2 besides 4791. */
  ports: readonly number[] | undefined = undefined;
  error: DecodeError | undefined = undefined;

  /** Clears the frame for a packet of `length` bytes. */
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

/** Returns true, and sets the error, if the packet ends before a header of this length. */
export function tooShort(
  frame: Frame,
  bytes: Uint8Array,
  offset: number,
  layer: LayerId,
  needed: number,
): boolean {
  const there = frame.end - offset;
  if (there >= needed) return false;
  // A packet that ends with the captured bytes was cut. A packet that ends earlier contradicts itself.
  if (frame.end === bytes.length) frame.truncated = true;
  fail(
    frame,
    frame.end,
    layer,
    `the packet ends after ${Math.max(there, 0)} of ${needed} bytes of this header`,
  );
  return true;
}

/** Adds a whole header; returns false if there are too many. */
export function put(frame: Frame, header: PlacedHeader, offset: number, length: number): boolean {
  frame.rest = offset + length;
  if (frame.headers.count === MAX_HEADERS) {
    fail(frame, offset, header.id, `more than ${MAX_HEADERS} headers: the rest is not read`);
    return false;
  }
  frame.headers.add(header, offset, length);
  return true;
}

/** Sets the content of a tunnel to be read next: a header of the network layer, or Ethernet. */
export function readOn(frame: Frame, type: number, at: number): void {
  frame.next = type;
  frame.rest = at;
}

/** Sets `end` from the length that a header states. */
export function limit(frame: Frame, end: number): void {
  frame.fullEnd = end;
  // A tunnel may hold only the beginning of a packet: some switches mirror no more.
  if (end > frame.end) frame.truncated = true;
  else frame.end = end;
}

/** Place of the payload of a packet that is not RoCE: everything after the last known header. */
export function payloadPlace(frame: Frame): { offset: number; length: number } {
  const offset = Math.min(frame.rest, frame.end);
  return { offset, length: frame.end - offset };
}

export const isVlan = (type: number): boolean =>
  type === EtherType.VLAN || type === EtherType.QINQ || type === EtherType.OLD_QINQ;
