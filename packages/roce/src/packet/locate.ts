import { u16, u32 } from '../base/bytes.js';
import { fail, Frame, limit, put, tooShort } from './frame.js';
import { ERF_HEADER, erf, ErfType, EtherType, LinkNext, loopback, lrh, sll, sll2 } from '../headers/index.js';
import { frameOfEthernet, network, overGrh } from './network.js';
import { LinkType } from '../base/types.js';

const NAMES: Readonly<Record<number, string>> = {
  9: 'PPP',
  105: 'IEEE 802.11',
  119: 'Prism',
  127: 'IEEE 802.11 radiotap',
  147: 'user 0',
  187: 'Bluetooth',
  189: 'USB',
  220: 'USB',
  239: 'NFLOG',
  253: 'netlink',
};

/** A link type in words. */
export const linkTypeText = (type: number): string =>
  `link type ${type}${NAMES[type] === undefined ? '' : ` (${NAMES[type]})`}`;

const SUPPORTED: ReadonlySet<number> = new Set(Object.values(LinkType));

/** True if packets of a link type can be read. */
export const isSupported = (linkType: number): boolean => SUPPORTED.has(linkType);

/**
 * Finds the headers of a packet, through tags and tunnels. Only this file walks from the link layer to the BTH.
 * `ports`: UDP ports that carry RoCEv2 besides 4791. `frame`: a frame to use again, which saves its memory.
 */
export function locate(
  bytes: Uint8Array,
  linkType: number,
  ports?: readonly number[],
  frame = new Frame(),
): Frame {
  frame.begin(bytes.length, linkType, ports);
  link(bytes, frame);
  return frame;
}

function link(bytes: Uint8Array, frame: Frame): void {
  switch (frame.linkType) {
    case LinkType.ETHERNET:
      return frameOfEthernet(bytes, frame, 0);
    case LinkType.LINUX_SLL:
      if (tooShort(frame, bytes, 0, 'sll', sll.length)) return;
      put(frame, sll, 0, sll.length);
      return network(bytes, frame, u16(bytes, 14), sll.length);
    case LinkType.LINUX_SLL2:
      if (tooShort(frame, bytes, 0, 'sll2', sll2.length)) return;
      put(frame, sll2, 0, sll2.length);
      return network(bytes, frame, u16(bytes, 0), sll2.length);
    case LinkType.NULL:
    case LinkType.LOOP: {
      if (tooShort(frame, bytes, 0, 'loopback', loopback.length)) return;
      put(frame, loopback, 0, loopback.length);
      return network(bytes, frame, familyType(u32(bytes, 0)), loopback.length);
    }
    case LinkType.RAW:
    case LinkType.RAW_BSD:
    case LinkType.RAW_OPENBSD:
    case LinkType.IPV4:
    case LinkType.IPV6:
      return rawIp(bytes, frame);
    case LinkType.INFINIBAND:
      return infiniband(bytes, frame, 0);
    case LinkType.ERF:
      return record(bytes, frame);
    default:
      frame.supported = false;
  }
}

function rawIp(bytes: Uint8Array, frame: Frame): void {
  if (bytes.length === 0) return fail(frame, 0, 'packet', 'the packet is empty');
  const version = bytes[0]! >>> 4;
  if (version !== 4 && version !== 6)
    return fail(frame, 0, 'packet', `IP version ${version} is neither 4 nor 6`);
  return network(bytes, frame, version === 4 ? EtherType.IPV4 : EtherType.IPV6, 0);
}

/**
 * EtherType of an address family. AF_INET is 2 everywhere; AF_INET6 differs between systems. The byte order is the
 * host's.
 */
function familyType(value: number): number {
  const family = value > 0xffff ? ((value >>> 24) | ((value >>> 8) & 0xff00)) >>> 0 : value;
  if (family === 2) return EtherType.IPV4;
  return family === 10 || family === 23 || family === 24 || family === 28 || family === 30
    ? EtherType.IPV6
    : 0;
}

/** Reads on from an LRH. Its packet length does not count the variant CRC behind the ICRC. */
function infiniband(bytes: Uint8Array, frame: Frame, at: number): void {
  if (tooShort(frame, bytes, at, 'lrh', lrh.length)) return;
  put(frame, lrh, at, lrh.length);
  frame.lrh = at;
  const next = bytes[at + 1]! & 3;
  const length = (u16(bytes, at + 4) & 0x07ff) * 4;
  if (length < lrh.length)
    return fail(frame, at + 4, 'lrh', `packet length ${length} is less than ${lrh.length}`);
  limit(frame, at + length);
  if (next === LinkNext.GRH) return overGrh(bytes, frame, at + lrh.length);
  if (next === LinkNext.BTH) frame.bth = at + lrh.length;
  else if (next === LinkNext.IPV6) network(bytes, frame, EtherType.IPV6, at + lrh.length);
}

/** Reads a record of a capture card. The packet follows its header and extension headers. */
function record(bytes: Uint8Array, frame: Frame): void {
  if (tooShort(frame, bytes, 0, 'erf', ERF_HEADER)) return;
  const type = bytes[8]! & 0x7f;
  const wire = u16(bytes, 14);
  let more = (bytes[8]! & 0x80) !== 0;
  let at = ERF_HEADER;
  while (more) {
    if (tooShort(frame, bytes, at, 'erf', 8)) return;
    more = (bytes[at]! & 0x80) !== 0;
    at += 8;
  }
  if (type === ErfType.ETHERNET) {
    if (tooShort(frame, bytes, at, 'erf', 2)) return;
    at += 2;
  }
  put(frame, erf, 0, at);
  // The record is padded to a multiple of eight bytes.
  if (wire > 0) limit(frame, at + wire);
  if (type === ErfType.ETHERNET) return frameOfEthernet(bytes, frame, at);
  if (type === ErfType.INFINIBAND) return infiniband(bytes, frame, at);
  if (type === ErfType.IPV4) return network(bytes, frame, EtherType.IPV4, at);
  if (type === ErfType.IPV6) return network(bytes, frame, EtherType.IPV6, at);
}
