import { u16 } from '../base/bytes.js';
import { fail, isVlan, limit, put, readOn, tooShort } from './frame.js';
import type { Frame } from './frame.js';
import {
  ethernet,
  EtherType,
  grh,
  IpProtocol,
  ipv4,
  ipv6,
  ipv6DestinationOptions,
  ipv6Fragment,
  ipv6HopOptions,
  ipv6Routing,
  MacControl,
  pause,
  pfc,
  ROCE_UDP_PORT,
  tcp,
  udp,
  vlan,
} from '../headers/index.js';
import { inIp, inUdp, overMpls, overPppoe } from './tunnels.js';

/** Limit of VLAN tags in a row. Wireshark has such a limit too. */
const MAX_VLANS = 16;

/** Reads on from an Ethernet header. */
export function frameOfEthernet(bytes: Uint8Array, frame: Frame, at: number): void {
  network(bytes, frame, EtherType.ETHERNET, at);
}

/** Reads on from the header that an EtherType announces, into tunnels. */
export function network(bytes: Uint8Array, frame: Frame, type: number, at: number): void {
  readOn(frame, type, at);
  while (frame.next !== -1) {
    const { next, rest } = frame;
    frame.next = -1;
    if (next === EtherType.ETHERNET) overEthernet(bytes, frame, rest);
    else overEtherType(bytes, frame, next, rest);
  }
}

function overEthernet(bytes: Uint8Array, frame: Frame, at: number): void {
  if (tooShort(frame, bytes, at, 'ethernet', ethernet.length)) return;
  if (!put(frame, ethernet, at, ethernet.length)) return;
  overEtherType(bytes, frame, u16(bytes, at + 12), at + ethernet.length);
}

function overEtherType(bytes: Uint8Array, frame: Frame, type: number, at: number): void {
  while (isVlan(type)) {
    frame.etherType = type;
    if (frame.vlans === MAX_VLANS)
      return fail(frame, at, 'vlan', `more than ${MAX_VLANS} VLAN tags: the rest is not read`);
    if (tooShort(frame, bytes, at, 'vlan', vlan.length)) return;
    frame.vlans++;
    if (!put(frame, vlan, at, vlan.length)) return;
    type = u16(bytes, at + 2);
    at += vlan.length;
  }
  frame.etherType = type;
  frame.rest = at;
  switch (type) {
    case EtherType.IPV4:
      return overIpv4(bytes, frame, at);
    case EtherType.IPV6:
      return overIpv6(bytes, frame, at);
    case EtherType.ROCE_V1:
      return overGrh(bytes, frame, at);
    case EtherType.MPLS:
    case EtherType.MPLS_MULTICAST:
      return overMpls(bytes, frame, at);
    case EtherType.PPPOE:
      return overPppoe(bytes, frame, at);
    case EtherType.MAC_CONTROL:
      return macControl(bytes, frame, at);
    default:
  }
}

function macControl(bytes: Uint8Array, frame: Frame, at: number): void {
  if (tooShort(frame, bytes, at, 'pause', 2)) return;
  const opcode = u16(bytes, at);
  const header = opcode === MacControl.PFC ? pfc : opcode === MacControl.PAUSE ? pause : null;
  if (!header || tooShort(frame, bytes, at, 'pause', header.length)) return;
  put(frame, header, at, header.length);
}

function overIpv4(bytes: Uint8Array, frame: Frame, at: number): void {
  if (tooShort(frame, bytes, at, 'ipv4', ipv4.length)) return;
  if (bytes[at]! >>> 4 !== 4)
    return fail(frame, at, 'ipv4', `IP version ${bytes[at]! >>> 4} in a packet marked as IPv4`);
  const headerLength = (bytes[at]! & 0x0f) * 4;
  if (headerLength < 20) return fail(frame, at, 'ipv4', `header length ${headerLength} is less than 20`);
  frame.ip = at;
  frame.ipKind = 'ipv4';
  frame.ipHeaderLength = headerLength;
  frame.protocol = bytes[at + 9]!;
  frame.l4 = at + headerLength;
  frame.fragmentHeader = -1;
  if (!put(frame, ipv4, at, Math.min(headerLength, bytes.length - at))) return;
  if (tooShort(frame, bytes, at, 'ipv4', headerLength)) return;
  const total = u16(bytes, at + 2);
  // A capture on the sending host shows 0 for a packet that the card will segment.
  if (total !== 0) {
    if (total < headerLength)
      return fail(
        frame,
        at + 2,
        'ipv4',
        `total length ${total} is less than the header length ${headerLength}`,
      );
    limit(frame, at + total);
  }
  frame.fragment = (u16(bytes, at + 6) & 0x3fff) !== 0;
  if (!frame.fragment) transport(bytes, frame);
}

function overIpv6(bytes: Uint8Array, frame: Frame, at: number): void {
  if (tooShort(frame, bytes, at, 'ipv6', ipv6.length)) return;
  if (bytes[at]! >>> 4 !== 6)
    return fail(frame, at, 'ipv6', `IP version ${bytes[at]! >>> 4} in a packet marked as IPv6`);
  frame.ip = at;
  frame.ipKind = 'ipv6';
  frame.ipHeaderLength = ipv6.length;
  frame.protocol = bytes[at + 6]!;
  frame.l4 = at + ipv6.length;
  frame.fragmentHeader = -1;
  if (!put(frame, ipv6, at, ipv6.length)) return;
  const payload = u16(bytes, at + 4);
  if (payload !== 0) limit(frame, at + ipv6.length + payload);
  if (extensions(bytes, frame) && !frame.fragment) transport(bytes, frame);
}

const EXTENSIONS: Readonly<Record<number, typeof ipv6HopOptions | typeof ipv6Routing>> = {
  [IpProtocol.HOP_OPTIONS]: ipv6HopOptions,
  [IpProtocol.ROUTING]: ipv6Routing,
  [IpProtocol.DESTINATION_OPTIONS]: ipv6DestinationOptions,
};

/** Passes over the extension headers of IPv6; returns false if the packet ends among them. */
function extensions(bytes: Uint8Array, frame: Frame): boolean {
  for (;;) {
    const at = frame.l4;
    if (frame.protocol === IpProtocol.FRAGMENT) {
      if (tooShort(frame, bytes, at, 'ipv6ext', ipv6Fragment.length)) return false;
      if (!put(frame, ipv6Fragment, at, ipv6Fragment.length)) return false;
      frame.fragmentHeader = at;
      frame.protocol = bytes[at]!;
      frame.l4 = at + ipv6Fragment.length;
      // A datagram in a single fragment is whole.
      frame.fragment = (u16(bytes, at + 2) & 0xfff9) !== 0;
      if (frame.fragment) return true;
      continue;
    }
    const authentication = frame.protocol === IpProtocol.AUTHENTICATION;
    const header = EXTENSIONS[frame.protocol];
    if (!header && !authentication) return true;
    if (tooShort(frame, bytes, at, 'ipv6ext', 8)) return false;
    const length = authentication ? (bytes[at + 1]! + 2) * 4 : (bytes[at + 1]! + 1) * 8;
    if (tooShort(frame, bytes, at, 'ipv6ext', length)) return false;
    frame.protocol = bytes[at]!;
    frame.l4 = frame.rest = at + length;
    if (header && !put(frame, header, at, length)) return false;
  }
}

export function overGrh(bytes: Uint8Array, frame: Frame, at: number): void {
  if (tooShort(frame, bytes, at, 'grh', grh.length)) return;
  frame.ip = at;
  frame.ipKind = 'grh';
  frame.ipHeaderLength = grh.length;
  frame.protocol = bytes[at + 6]!;
  frame.l4 = at + grh.length;
  if (!put(frame, grh, at, grh.length)) return;
  limit(frame, at + grh.length + u16(bytes, at + 4));
  if (frame.protocol === IpProtocol.IB_BTH) frame.bth = at + grh.length;
}

function transport(bytes: Uint8Array, frame: Frame): void {
  const at = frame.l4;
  if (frame.protocol === IpProtocol.TCP) {
    if (tooShort(frame, bytes, at, 'tcp', tcp.length)) return;
    if (!put(frame, tcp, at, tcp.length)) return;
    frame.rest = at + Math.max((bytes[at + 12]! >>> 4) * 4, tcp.length);
  } else if (frame.protocol === IpProtocol.UDP) overUdp(bytes, frame, at);
  else inIp(bytes, frame, at);
}

const isRoce = (port: number, ports: readonly number[] | undefined): boolean =>
  port === ROCE_UDP_PORT || (ports !== undefined && ports.includes(port));

function overUdp(bytes: Uint8Array, frame: Frame, at: number): void {
  if (tooShort(frame, bytes, at, 'udp', udp.length)) {
    // A capture of very few bytes per packet holds the ports and not the rest.
    if (frame.truncated && frame.end - at >= 4 && isRoce(u16(bytes, at + 2), frame.ports))
      frame.bth = at + udp.length;
    return;
  }
  if (!put(frame, udp, at, udp.length)) return;
  const port = u16(bytes, at + 2);
  if (!isRoce(port, frame.ports)) return inUdp(bytes, frame, port, at + udp.length);
  const length = u16(bytes, at + 4);
  if (length !== 0) {
    if (length < udp.length) return fail(frame, at + 4, 'udp', `UDP length ${length} is less than 8`);
    if (at + length > frame.end && !frame.truncated)
      return fail(frame, at + 4, 'udp', `UDP length ${length} goes beyond the IP packet`);
    if (at + length <= frame.fullEnd) frame.fullEnd = at + length;
    if (!frame.truncated) frame.end = at + length;
  }
  frame.bth = at + udp.length;
}
