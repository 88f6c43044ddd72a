import { u16 } from '../base/bytes.js';
import { isVlan, limit, put, readOn, tooShort } from './frame.js';
import type { Frame } from './frame.js';
import {
  erspan2,
  erspan3,
  EtherType,
  geneve,
  GENEVE_PORT,
  gre,
  greChecksum,
  greKey,
  greSequence,
  IpProtocol,
  mpls,
  ppp,
  pppoe,
  vxlan,
  VXLAN_GPE_PORT,
  vxlanGpe,
  VXLAN_LINUX_PORT,
  VXLAN_PORT,
} from '../headers/index.js';

/** Reads on into a tunnel directly in IP. */
export function inIp(bytes: Uint8Array, frame: Frame, at: number): void {
  frame.rest = at;
  switch (frame.protocol) {
    case IpProtocol.IPV4:
      return readOn(frame, EtherType.IPV4, at);
    case IpProtocol.IPV6:
      return readOn(frame, EtherType.IPV6, at);
    case IpProtocol.GRE:
      return overGre(bytes, frame, at);
    case IpProtocol.MPLS:
      return overMpls(bytes, frame, at);
    case IpProtocol.ETHERNET:
      return readOn(frame, EtherType.ETHERNET, at);
    case IpProtocol.ETHERIP:
      return readOn(frame, EtherType.ETHERNET, at + 2);
    default:
  }
}

const GPE: Readonly<Record<number, number>> = {
  1: EtherType.IPV4,
  2: EtherType.IPV6,
  5: EtherType.MPLS,
};
const GPE_ETHERNET = 3;
/** Flag of a valid network identifier, which every VXLAN packet sets. */
const VXLAN_VALID = 0x08;
const MPLS_IN_UDP_PORT = 6635;

/** Reads on into a tunnel in UDP, by its destination port. */
export function inUdp(bytes: Uint8Array, frame: Frame, port: number, at: number): void {
  switch (port) {
    case VXLAN_PORT:
    case VXLAN_LINUX_PORT:
      if (!isVxlan(bytes, frame, at)) return;
      if (put(frame, vxlan, at, vxlan.length)) readOn(frame, EtherType.ETHERNET, at + vxlan.length);
      return;
    case VXLAN_GPE_PORT: {
      if (!isVxlan(bytes, frame, at) || !put(frame, vxlanGpe, at, vxlanGpe.length)) return;
      const next = bytes[at + 3]!;
      const type = GPE[next];
      if (next === GPE_ETHERNET) readOn(frame, EtherType.ETHERNET, at + vxlan.length);
      else if (type !== undefined) readOn(frame, type, at + vxlan.length);
      return;
    }
    case GENEVE_PORT:
      return overGeneve(bytes, frame, at);
    case MPLS_IN_UDP_PORT:
      return overMpls(bytes, frame, at);
    default:
  }
}

/** True for a VXLAN packet. Other programs use these ports too, and their packets remain UDP. */
const isVxlan = (bytes: Uint8Array, frame: Frame, at: number): boolean =>
  frame.end - at >= vxlan.length && (bytes[at]! & VXLAN_VALID) !== 0;

function overGeneve(bytes: Uint8Array, frame: Frame, at: number): void {
  const there = frame.end - at;
  if (there < geneve.length || bytes[at]! >>> 6 !== 0) return;
  const length = geneve.length + (bytes[at]! & 0x3f) * 4;
  if (tooShort(frame, bytes, at, 'geneve', length)) return;
  if (put(frame, geneve, at, length)) readOn(frame, u16(bytes, at + 2), at + length);
}

const Gre = { CHECKSUM: 0x8000, ROUTING: 0x4000, KEY: 0x2000, SEQUENCE: 0x1000, VERSION: 0x7 } as const;

function overGre(bytes: Uint8Array, frame: Frame, at: number): void {
  if (tooShort(frame, bytes, at, 'gre', gre.length)) return;
  const flags = u16(bytes, at);
  const type = u16(bytes, at + 2);
  if (!put(frame, gre, at, gre.length)) return;
  // Version 1 is PPTP; source routing has been given up.
  if ((flags & Gre.VERSION) !== 0 || (flags & Gre.ROUTING) !== 0) return;
  let next = at + gre.length;
  for (const [bit, header] of [
    [Gre.CHECKSUM, greChecksum],
    [Gre.KEY, greKey],
    [Gre.SEQUENCE, greSequence],
  ] as const) {
    if ((flags & bit) === 0) continue;
    if (tooShort(frame, bytes, next, 'gre', header.length) || !put(frame, header, next, header.length))
      return;
    next += header.length;
  }
  if (type === EtherType.ERSPAN) overErspan(bytes, frame, next, (flags & Gre.SEQUENCE) !== 0);
  else if (type === EtherType.ERSPAN_III) overErspan3(bytes, frame, next);
  else readOn(frame, type, next);
}

/** Reads on into ERSPAN type I or II. Type I has no header of its own and no GRE sequence number. */
function overErspan(bytes: Uint8Array, frame: Frame, at: number, numbered: boolean): void {
  if (!numbered) return readOn(frame, EtherType.ETHERNET, at);
  if (tooShort(frame, bytes, at, 'erspan', erspan2.length)) return;
  // Some switches number type III like type II.
  if (bytes[at]! >>> 4 === 2) return overErspan3(bytes, frame, at);
  if (put(frame, erspan2, at, erspan2.length)) readOn(frame, EtherType.ETHERNET, at + erspan2.length);
}

const ERSPAN_IP = 2;
const PLATFORM_HEADER = 8;

function overErspan3(bytes: Uint8Array, frame: Frame, at: number): void {
  if (tooShort(frame, bytes, at, 'erspan', erspan3.length)) return;
  const last = u16(bytes, at + 10);
  const length = erspan3.length + (last & 1 ? PLATFORM_HEADER : 0);
  if (tooShort(frame, bytes, at, 'erspan', length) || !put(frame, erspan3, at, length)) return;
  if (((last >>> 10) & 0x1f) === ERSPAN_IP) ipByVersion(bytes, frame, at + length);
  else readOn(frame, EtherType.ETHERNET, at + length);
}

function ipByVersion(bytes: Uint8Array, frame: Frame, at: number): boolean {
  const version = at < frame.end ? bytes[at]! >>> 4 : 0;
  if (version !== 4 && version !== 6) return false;
  readOn(frame, version === 4 ? EtherType.IPV4 : EtherType.IPV6, at);
  return true;
}

/** Reads a label stack. MPLS does not name the next protocol, so its first bytes identify it. */
export function overMpls(bytes: Uint8Array, frame: Frame, at: number): void {
  for (let last = false; !last; at += mpls.length) {
    if (tooShort(frame, bytes, at, 'mpls', mpls.length)) return;
    if (!put(frame, mpls, at, mpls.length)) return;
    last = (bytes[at + 2]! & 1) !== 0;
  }
  // A pseudowire carries Ethernet, with a control word in front or without.
  if (isEthernet(bytes, frame, at) && !isIpv4(bytes, frame, at)) return readOn(frame, EtherType.ETHERNET, at);
  if (ipByVersion(bytes, frame, at)) return;
  const CONTROL_WORD = 4;
  if (isEthernet(bytes, frame, at + CONTROL_WORD) && bytes[at]! >>> 4 === 0) {
    readOn(frame, EtherType.ETHERNET, at + CONTROL_WORD);
  }
}

const isIpv4 = (bytes: Uint8Array, frame: Frame, at: number): boolean =>
  bytes[at]! === 0x45 && u16(bytes, at + 2) <= frame.end - at;

function isEthernet(bytes: Uint8Array, frame: Frame, at: number): boolean {
  if (frame.end - at < 14) return false;
  const type = u16(bytes, at + 12);
  const version = at + 14 < frame.end ? bytes[at + 14]! >>> 4 : -1;
  if (type === EtherType.IPV4) return version === 4;
  if (type === EtherType.IPV6 || type === EtherType.ROCE_V1) return version === 6;
  return isVlan(type);
}

const PppProtocol = { IPV4: 0x21, IPV6: 0x57, MPLS: 0x281 } as const;

export function overPppoe(bytes: Uint8Array, frame: Frame, at: number): void {
  if (tooShort(frame, bytes, at, 'pppoe', pppoe.length)) return;
  if (!put(frame, pppoe, at, pppoe.length)) return;
  limit(frame, at + pppoe.length + u16(bytes, at + 4));
  const next = at + pppoe.length;
  if (tooShort(frame, bytes, next, 'ppp', ppp.length)) return;
  // An odd first byte is a whole protocol number: it was sent in one byte.
  const short = (bytes[next]! & 1) !== 0;
  const protocol = short ? bytes[next]! : u16(bytes, next);
  const to = next + (short ? 1 : ppp.length);
  if (!short && !put(frame, ppp, next, ppp.length)) return;
  if (protocol === PppProtocol.IPV4) readOn(frame, EtherType.IPV4, to);
  else if (protocol === PppProtocol.IPV6) readOn(frame, EtherType.IPV6, to);
  else if (protocol === PppProtocol.MPLS) overMpls(bytes, frame, to);
}
