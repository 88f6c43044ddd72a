import { u16 } from './bytes.js';
import { EtherType } from './headers/ethernet.js';
import { IpProtocol } from './headers/ip.js';
import { ROCE_UDP_PORT } from './headers/udp.js';
import { LinkType } from './types.js';
import type { DecodeError, LayerId } from './types.js';

/**
 * VLAN tags that are read of one packet. Networks stack two or three; Wireshark, too, stops at a depth, so that a
 * packet full of tags does not become thousands of headers.
 */
const MAX_VLANS = 16;

/**
 * Where the headers of a packet are. This is the one place that walks from the link layer to the BTH; summary,
 * details and ICRC all start from its result. It never throws and never reads outside the packet.
 */
export interface Frame {
  /** Offset of the link header's successor; 0 for raw IP. */
  linkType: number;
  etherType: number;
  /** Offsets of VLAN tags. */
  vlans: number[];
  /** Offset of the IPv4, IPv6 or GRH header; -1 when there is none. */
  ip: number;
  ipKind: 'ipv4' | 'ipv6' | 'grh' | 'none';
  ipHeaderLength: number;
  /** Protocol number of what follows IP. */
  protocol: number;
  /** Offset of what follows the last header known: TCP, UDP or payload. */
  l4: number;
  /** True for every fragment of a fragmented IP packet. */
  fragment: boolean;
  /** Offset of the BTH; -1 when this is not RoCE. */
  bth: number;
  /** One past the last byte of the packet by its own length fields, and within the capture. */
  end: number;
  /** One past the last byte of the packet by its own length fields, captured or not. */
  fullEnd: number;
  /** The capture cut the packet short. */
  truncated: boolean;
  error?: DecodeError;
}

export function locate(bytes: Uint8Array, linkType: number): Frame {
  const frame: Frame = {
    linkType,
    etherType: 0,
    vlans: [],
    ip: -1,
    ipKind: 'none',
    ipHeaderLength: 0,
    protocol: -1,
    l4: 0,
    fragment: false,
    bth: -1,
    end: bytes.length,
    fullEnd: bytes.length,
    truncated: false,
  };
  link(bytes, frame);
  return frame;
}

function fail(frame: Frame, offset: number, layer: LayerId | 'packet', message: string): void {
  frame.error ??= { offset, layer, message };
}

function tooShort(frame: Frame, bytes: Uint8Array, offset: number, layer: LayerId, needed: number): boolean {
  const there = bytes.length - offset;
  if (there >= needed) return false;
  frame.truncated = true;
  fail(
    frame,
    bytes.length,
    layer,
    `the packet ends after ${Math.max(there, 0)} of ${needed} bytes of this header`,
  );
  return true;
}

function link(bytes: Uint8Array, frame: Frame): void {
  switch (frame.linkType) {
    case LinkType.ETHERNET: {
      if (tooShort(frame, bytes, 0, 'ethernet', 14)) return;
      let type = u16(bytes, 12);
      let at = 14;
      while (type === EtherType.VLAN || type === EtherType.QINQ) {
        frame.etherType = type;
        if (frame.vlans.length === MAX_VLANS) {
          frame.l4 = at;
          return fail(frame, at, 'vlan', `more than ${MAX_VLANS} VLAN tags: the rest is not read`);
        }
        if (tooShort(frame, bytes, at, 'vlan', 4)) return;
        frame.vlans.push(at);
        type = u16(bytes, at + 2);
        at += 4;
      }
      return network(bytes, frame, type, at);
    }
    case LinkType.LINUX_SLL:
      if (tooShort(frame, bytes, 0, 'sll', 16)) return;
      return network(bytes, frame, u16(bytes, 14), 16);
    case LinkType.LINUX_SLL2:
      if (tooShort(frame, bytes, 0, 'sll2', 20)) return;
      return network(bytes, frame, u16(bytes, 0), 20);
    case LinkType.RAW:
    case LinkType.IPV4:
    case LinkType.IPV6: {
      if (bytes.length === 0) return fail(frame, 0, 'packet', 'the packet is empty');
      const version = bytes[0]! >>> 4;
      if (version !== 4 && version !== 6)
        return fail(frame, 0, 'packet', `IP version ${version} is neither 4 nor 6`);
      return network(bytes, frame, version === 4 ? EtherType.IPV4 : EtherType.IPV6, 0);
    }
    default:
      return fail(frame, 0, 'packet', `link type ${frame.linkType} is not supported`);
  }
}

function network(bytes: Uint8Array, frame: Frame, type: number, at: number): void {
  frame.etherType = type;
  frame.l4 = at;
  switch (type) {
    case EtherType.IPV4:
      return overIpv4(bytes, frame, at);
    case EtherType.IPV6:
      return overIpv6(bytes, frame, at);
    case EtherType.ROCE_V1:
      return overGrh(bytes, frame, at);
    default:
  }
}

/** Sets `end` from the length the header states. */
function limit(bytes: Uint8Array, frame: Frame, end: number): void {
  frame.fullEnd = end;
  if (end > bytes.length) frame.truncated = true;
  else frame.end = end;
}

function overIpv4(bytes: Uint8Array, frame: Frame, at: number): void {
  if (tooShort(frame, bytes, at, 'ipv4', 20)) return;
  if (bytes[at]! >>> 4 !== 4)
    return fail(frame, at, 'ipv4', `IP version ${bytes[at]! >>> 4} in a packet marked as IPv4`);
  const headerLength = (bytes[at]! & 0x0f) * 4;
  if (headerLength < 20) return fail(frame, at, 'ipv4', `header length ${headerLength} is less than 20`);
  frame.ip = at;
  frame.ipKind = 'ipv4';
  frame.ipHeaderLength = headerLength;
  frame.protocol = bytes[at + 9]!;
  frame.l4 = at + headerLength;
  if (tooShort(frame, bytes, at, 'ipv4', headerLength)) return;
  const total = u16(bytes, at + 2);
  // 0 is what a capture on the sending host shows for a packet that the card will segment.
  if (total !== 0) {
    if (total < headerLength)
      return fail(
        frame,
        at + 2,
        'ipv4',
        `total length ${total} is less than the header length ${headerLength}`,
      );
    limit(bytes, frame, at + total);
  }
  frame.fragment = (u16(bytes, at + 6) & 0x3fff) !== 0;
  if (!frame.fragment) transport(bytes, frame);
}

function overIpv6(bytes: Uint8Array, frame: Frame, at: number): void {
  if (tooShort(frame, bytes, at, 'ipv6', 40)) return;
  if (bytes[at]! >>> 4 !== 6)
    return fail(frame, at, 'ipv6', `IP version ${bytes[at]! >>> 4} in a packet marked as IPv6`);
  frame.ip = at;
  frame.ipKind = 'ipv6';
  frame.ipHeaderLength = 40;
  frame.protocol = bytes[at + 6]!;
  frame.l4 = at + 40;
  const payload = u16(bytes, at + 4);
  if (payload !== 0) limit(bytes, frame, at + 40 + payload);
  transport(bytes, frame);
}

function overGrh(bytes: Uint8Array, frame: Frame, at: number): void {
  if (tooShort(frame, bytes, at, 'grh', 40)) return;
  frame.ip = at;
  frame.ipKind = 'grh';
  frame.ipHeaderLength = 40;
  frame.protocol = bytes[at + 6]!;
  frame.l4 = at + 40;
  limit(bytes, frame, at + 40 + u16(bytes, at + 4));
  if (frame.protocol === IpProtocol.IB_BTH) frame.bth = at + 40;
}

function transport(bytes: Uint8Array, frame: Frame): void {
  const at = frame.l4;
  if (frame.protocol === IpProtocol.TCP) {
    tooShort(frame, bytes, at, 'tcp', 20);
    return;
  }
  if (frame.protocol !== IpProtocol.UDP || tooShort(frame, bytes, at, 'udp', 8)) return;
  if (u16(bytes, at + 2) !== ROCE_UDP_PORT) return;
  const length = u16(bytes, at + 4);
  if (length !== 0) {
    if (length < 8) return fail(frame, at + 4, 'udp', `UDP length ${length} is less than 8`);
    if (at + length > frame.end && !frame.truncated)
      return fail(frame, at + 4, 'udp', `UDP length ${length} goes beyond the IP packet`);
    if (at + length <= frame.fullEnd) frame.fullEnd = at + length;
    if (!frame.truncated) frame.end = at + length;
  }
  frame.bth = at + 8;
}

/** Where the payload of a packet that is not RoCE is: all that follows the last header known. */
export function payloadPlace(bytes: Uint8Array, frame: Frame): { offset: number; length: number } {
  const { l4, end } = frame;
  const known = frame.ipKind !== 'none' && frame.ipKind !== 'grh' && !frame.error && !frame.fragment;
  let offset = Math.min(l4, end);
  if (known && frame.protocol === IpProtocol.TCP) {
    offset = Math.min(l4 + Math.max((bytes[l4 + 12]! >>> 4) * 4, 20), end);
  } else if (known && frame.protocol === IpProtocol.UDP) {
    offset = l4 + 8;
  }
  return { offset, length: Math.max(end - offset, 0) };
}
