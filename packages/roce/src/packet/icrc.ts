import { u16, u32 } from '../base/bytes.js';
import { crc32Update, explain16 } from '../base/crc32.js';
import type { IcrcCheck } from '../base/types.js';

/**
 * The invariant CRC of RoCEv2 (InfiniBand annex A17.3.3). It is Ethernet's CRC-32 over the packet from the IP
 * header to the last pad byte, with eight 0xff bytes in front (where InfiniBand has its local route header) and
 * with all fields that routers may change set to ones: IPv4 TOS, TTL and header checksum; IPv6 traffic class,
 * flow label and hop limit; the UDP checksum; byte 4 of the BTH. It is complemented and sent little-endian.
 *
 * The ICRC covers the IPv4 identification, which the kernel writes after a program in user space has computed the sum.
 * A CRC is linear, so a small system of equations gives the identification that would make the sum right.
 */

/** State of the register after the eight 0xff bytes. */
const AFTER_ONES = 0xdebb20e3;

export const ICRC_LENGTH = 4;
const UDP_LENGTH = 8;
const BTH_LENGTH = 12;

// IP header with options or extension headers, UDP and BTH: the part of the packet that is masked.
const scratch = new Uint8Array(1024);

/**
 * The ICRC of a packet as the number whose big-endian bytes are on the wire (as Wireshark shows it).
 * `ip` is the offset of the IP header, `bth` that of the BTH (UDP is right before it), `end` that of the ICRC.
 * `id` replaces the IPv4 identification. Offsets must be inside `bytes`; decodePacket has checked them.
 */
export function computeIcrc(bytes: Uint8Array, ip: number, bth: number, end: number, id?: number): number {
  const masked = bth + BTH_LENGTH - ip;
  if (masked > scratch.length || end < bth + BTH_LENGTH)
    throw new RangeError(`no RoCEv2 packet has its BTH ${bth - ip} bytes after the IP header`);
  for (let i = 0; i < masked; i++) scratch[i] = bytes[ip + i]!;
  const udp = bth - ip - UDP_LENGTH;
  if (scratch[0]! >>> 4 === 4) {
    scratch[1] = 0xff; // TOS
    if (id !== undefined) {
      scratch[4] = id >>> 8;
      scratch[5] = id & 0xff;
    }
    scratch[8] = 0xff; // TTL
    scratch[10] = scratch[11] = 0xff; // header checksum
  } else {
    scratch[0]! |= 0x0f; // traffic class and flow label
    scratch[1] = scratch[2] = scratch[3] = 0xff;
    scratch[7] = 0xff; // hop limit
  }
  scratch[udp + 6] = scratch[udp + 7] = 0xff; // UDP checksum
  scratch[udp + UDP_LENGTH + 4] = 0xff; // FECN, BECN, reserved
  const head = crc32Update(AFTER_ONES, scratch, 0, masked);
  return wireOrder(~crc32Update(head, bytes, bth + BTH_LENGTH, end) >>> 0);
}

/** Little-endian on the wire, so the big-endian reading has the bytes reversed. */
function wireOrder(crc: number): number {
  return (((crc & 0xff) << 24) | ((crc & 0xff00) << 8) | ((crc >>> 8) & 0xff00) | (crc >>> 24)) >>> 0;
}

/** True if the ICRC fits the packet as captured. Offsets as for checkIcrc. */
export function icrcFits(bytes: Uint8Array, ip: number, bth: number, end: number): boolean {
  const at = end - ICRC_LENGTH;
  return at >= bth + BTH_LENGTH && end <= bytes.length && computeIcrc(bytes, ip, bth, at) === u32(bytes, at);
}

/** Checks the ICRC. Offsets as for computeIcrc, but `end` is the end of the packet, after its ICRC. */
export function checkIcrc(
  bytes: Uint8Array,
  ip: number,
  bth: number,
  end: number,
  options: { ipIdHint?: number; maxOtherId?: number } = {},
): IcrcCheck {
  const at = end - ICRC_LENGTH;
  if (at < bth + BTH_LENGTH || end > bytes.length)
    return { status: 'unchecked', reason: 'the packet is incomplete' };
  const stored = u32(bytes, at);
  const computed = computeIcrc(bytes, ip, bth, at);
  const isIpv4 = bytes[ip]! >>> 4 === 4;
  const captured = isIpv4 ? u16(bytes, ip + 4) : undefined;
  if (stored === computed)
    return captured === undefined
      ? { status: 'ok', stored, computed }
      : { status: 'ok', stored, computed, id: captured };
  if (captured === undefined) return { status: 'bad', stored, computed };
  const flipped = explain16(wireOrder((stored ^ computed) >>> 0), at - (ip + 6));
  if (flipped !== null) {
    const id = captured ^ flipped;
    if (id === options.ipIdHint || id < (options.maxOtherId ?? 64))
      return { status: 'ok-other-id', stored, computed: stored, id };
  }
  return { status: 'bad', stored, computed };
}

const IPV6_LENGTH = 40;
const EXTENSION_REASON = 'the IPv6 extension headers may have been added on the way';

/**
 * Checks the ICRC behind extension headers of IPv6. The specification does not say if it covers them, and a router may
 * have added them after it was computed. So it is right if it fits the packet with or without them. `l4` is the offset
 * of the UDP header; `final` that of the address at the end of a routing header, or -1.
 */
export function checkExtendedIcrc(
  bytes: Uint8Array,
  { ip, l4, bth, end, final }: { ip: number; l4: number; bth: number; end: number; final: number },
): IcrcCheck {
  const at = end - ICRC_LENGTH;
  if (at < bth + BTH_LENGTH || end > bytes.length)
    return { status: 'unchecked', reason: 'the packet is incomplete' };
  const stored = u32(bytes, at);
  const plain = new Uint8Array(IPV6_LENGTH + at - l4);
  plain.set(bytes.subarray(ip, ip + IPV6_LENGTH));
  plain.set(bytes.subarray(l4, at), IPV6_LENGTH);
  const length = u16(bytes, ip + 4) - (l4 - ip - IPV6_LENGTH);
  plain[4] = length >>> 8;
  plain[5] = length;
  plain[6] = 17; // UDP
  const fits = (packet: Uint8Array, to: number): boolean =>
    computeIcrc(packet, 0, to, packet.length) === stored;
  const inPlain = IPV6_LENGTH + bth - l4;
  if (fits(plain, inPlain)) return { status: 'ok', stored, computed: stored };
  if (bth + BTH_LENGTH - ip <= scratch.length && computeIcrc(bytes, ip, bth, at) === stored)
    return { status: 'ok', stored, computed: stored };
  if (final >= 0) {
    plain.set(bytes.subarray(final, final + 16), 24);
    if (fits(plain, inPlain)) return { status: 'ok', stored, computed: stored };
  }
  return { status: 'unchecked', stored, reason: EXTENSION_REASON };
}
