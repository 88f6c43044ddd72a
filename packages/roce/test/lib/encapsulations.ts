// A RoCEv2 packet as networks and capturing hosts wrap it: tags, tunnels, link layers.
import { buildPacket, ipv4Checksum, LinkType, RC, reth } from '../../src/index.js';

const bytes = (...parts: (number | readonly number[] | Uint8Array)[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'number' ? [part] : [...part])));
const two = (n: number): number[] => [(n >>> 8) & 0xff, n & 0xff];
const MACS = [2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1];

const write = (v6: boolean, link: boolean): Uint8Array =>
  buildPacket({
    src: v6 ? 'fd00::1' : '10.0.0.1',
    dst: v6 ? 'fd00::2' : '10.0.0.2',
    bth: { opcode: RC.writeOnly, destQp: 0x22, psn: 7, ackReq: true },
    headers: [reth.bytes({ va: 0x1000n, rkey: 0x77, dmaLength: 64 })],
    payload: new Uint8Array(64).fill(0xab),
    ...(link ? { ethernet: { src: '02:00:00:00:00:01', dst: '02:00:00:00:00:02' } } : {}),
  });

/** IPv4 from 192.168.0.1 to 192.168.0.2 around something. */
export function inIpv4(protocol: number, inner: Uint8Array, flags = 0x4000, id = 0): Uint8Array {
  const header = bytes(
    [0x45, 0],
    two(20 + inner.length),
    two(id),
    two(flags),
    [64, protocol, 0, 0],
    [192, 168, 0, 1, 192, 168, 0, 2],
  );
  header.set(two(ipv4Checksum(header, 0, 20)), 10);
  return bytes(header, inner);
}

export const inIpv6 = (protocol: number, inner: Uint8Array): Uint8Array =>
  bytes(
    [0x60, 0, 0, 0],
    two(inner.length),
    [protocol, 64],
    [0xfd, 1],
    Array(13).fill(0),
    1,
    [0xfd, 1],
    Array(13).fill(0),
    2,
    inner,
  );

export const inUdp = (port: number, inner: Uint8Array): Uint8Array =>
  bytes(two(0xc000), two(port), two(8 + inner.length), [0, 0], inner);

export const inEthernet = (type: number, inner: Uint8Array): Uint8Array => bytes(MACS, two(type), inner);

/** An IPv6 packet with headers between IPv6 and UDP. The ICRC is that of the packet without them. */
function extended(first: number, headers: Uint8Array): Uint8Array {
  const packet = write(true, false);
  const out = bytes(packet.subarray(0, 40), headers, packet.subarray(40));
  out.set(two(out.length - 40), 4);
  out[6] = first;
  return out;
}

const ip4 = write(false, false);
const ip6 = write(true, false);
const frame = write(false, true);
const gre = (flags: number, type: number, ...more: Uint8Array[]) => bytes(two(flags), two(type), ...more);
const erspan2 = bytes([0x10, 100, 0x08, 5, 0, 0, 0, 7], frame);
const erspan3 = (platform: boolean) =>
  bytes(
    [0x20, 100, 0x08, 5, 1, 2, 3, 4, 0, 9],
    two(0x8000 | (platform ? 1 : 0)),
    platform ? [4, 0, 0, 0, 0, 0, 0, 1] : [],
    frame,
  );
const label = (bottom: boolean) => bytes([0, 0x06, 0x40 | (bottom ? 1 : 0), 64]);
const vxlan = bytes([8, 0, 0, 0, 0, 0, 42, 0], frame);
const geneve = (words: number, type: number, inner: Uint8Array) =>
  bytes([words, 0], two(type), [0, 0, 42, 0], Array(words * 4).fill(0), inner);
/** Segment routing header: the packet is on its way to ::9, and in the end to `fd00::2`. */
const srh = bytes([17, 2, 4, 1, 0, 0, 0, 0], ip6.subarray(24, 40));
const routed = extended(43, srh);
routed.set([0xfd, 9], 24);
const lrh = (next: number, inner: Uint8Array): Uint8Array =>
  bytes([0, next], two(5), two((8 + inner.length) / 4), two(6), inner, [0xab, 0xcd]);

export interface Encapsulation {
  linkType: number;
  data: Uint8Array;
  /** Expected ICRC status, if it is not a plain pass. */
  icrc?: 'unchecked' | 'none';
  /** Set if tshark 4.0 does not read the packet, or counts the places of its fields from elsewhere. */
  tshark?: 'no';
}

const on = (data: Uint8Array, more: Partial<Encapsulation> = {}): Encapsulation => ({
  linkType: LinkType.ETHERNET,
  data,
  ...more,
});
const over4 = (protocol: number, inner: Uint8Array, more: Partial<Encapsulation> = {}) =>
  on(inEthernet(0x0800, inIpv4(protocol, inner)), more);
const link = (linkType: number, data: Uint8Array, more: Partial<Encapsulation> = {}): Encapsulation => ({
  linkType,
  data,
  ...more,
});
const tag = [0x60, 42];
const sllHead = [0, 0, 0, 1, 0, 6, 2, 0, 0, 0, 0, 1, 0, 0];
const sll2Head = [0, 0, 0, 0, 0, 3, 0, 1, 0, 6, 2, 0, 0, 0, 0, 1, 0, 0];

export const ENCAPSULATIONS: Readonly<Record<string, Encapsulation>> = {
  plain: on(frame),
  'plain IPv6': on(inEthernet(0x86dd, ip6)),
  '802.1Q': on(inEthernet(0x8100, bytes(tag, two(0x0800), ip4))),
  '802.1ad': on(inEthernet(0x88a8, bytes(tag, two(0x8100), tag, two(0x0800), ip4)), { tshark: 'no' }),
  'TPID 0x9100': on(inEthernet(0x9100, bytes(tag, two(0x8100), tag, two(0x0800), ip4))),
  SLL: link(LinkType.LINUX_SLL, bytes(sllHead, two(0x0800), ip4)),
  'SLL with VLAN': link(LinkType.LINUX_SLL, bytes(sllHead, two(0x8100), tag, two(0x0800), ip4)),
  SLL2: link(LinkType.LINUX_SLL2, bytes(two(0x0800), sll2Head, ip4)),
  'SLL2 with VLAN': link(LinkType.LINUX_SLL2, bytes(two(0x8100), sll2Head, tag, two(0x86dd), ip6)),
  'loopback, little-endian': link(LinkType.NULL, bytes([2, 0, 0, 0], ip4)),
  'loopback, big-endian': link(LinkType.NULL, bytes([0, 0, 0, 30], ip6)),
  LOOP: link(LinkType.LOOP, bytes([0, 0, 0, 2], ip4)),
  'raw IPv4': link(LinkType.RAW, ip4),
  'raw IPv6': link(LinkType.IPV6, ip6),
  'hop-by-hop options': on(inEthernet(0x86dd, extended(0, bytes([17, 0, 1, 4, 0, 0, 0, 0])))),
  'destination options': on(inEthernet(0x86dd, extended(60, bytes([17, 0, 1, 4, 0, 0, 0, 0])))),
  'three extension headers': on(
    inEthernet(0x86dd, extended(0, bytes([60, 0, 1, 4, 0, 0, 0, 0, 43, 0, 1, 4, 0, 0, 0, 0], srh))),
  ),
  'segment routing': on(inEthernet(0x86dd, routed)),
  'segment routing around IPv4': on(
    inEthernet(0x86dd, inIpv6(43, bytes([4, 2, 4, 0, 0, 0, 0, 0], ip6.subarray(24, 40), ip4))),
  ),
  'a single fragment': on(inEthernet(0x86dd, extended(44, bytes([17, 0, 0, 0, 0, 0, 0, 9])))),
  'IPv4 in IPv4': over4(4, ip4),
  'IPv6 in IPv4': over4(41, ip6),
  'IPv4 in IPv6': on(inEthernet(0x86dd, inIpv6(4, ip4))),
  GRE: over4(47, gre(0, 0x0800, ip4)),
  'GRE with checksum, key and sequence number': over4(
    47,
    gre(0xb000, 0x86dd, bytes([0, 0, 0, 0]), bytes([0, 0, 0, 7]), bytes([0, 0, 0, 1]), ip6),
  ),
  'GRE with Ethernet': over4(47, gre(0x2000, 0x6558, bytes([0, 0, 0, 7]), frame)),
  'ERSPAN I': over4(47, gre(0, 0x88be, frame)),
  'ERSPAN II': over4(47, gre(0x1000, 0x88be, bytes([0, 0, 0, 1]), erspan2)),
  'ERSPAN III': over4(47, gre(0x1000, 0x22eb, bytes([0, 0, 0, 1]), erspan3(false))),
  'ERSPAN III with a platform header': over4(47, gre(0x1000, 0x22eb, bytes([0, 0, 0, 1]), erspan3(true))),
  VXLAN: over4(17, inUdp(4789, vxlan)),
  'VXLAN of Linux': over4(17, inUdp(8472, vxlan), { tshark: 'no' }),
  'VXLAN over IPv6': on(inEthernet(0x86dd, inIpv6(17, inUdp(4789, vxlan)))),
  'VXLAN-GPE': over4(17, inUdp(4790, bytes([0x0c, 0, 0, 1, 0, 0, 42, 0], ip4))),
  Geneve: over4(17, inUdp(6081, geneve(0, 0x6558, frame))),
  'Geneve with options': over4(17, inUdp(6081, geneve(2, 0x0800, ip4)), { tshark: 'no' }),
  MPLS: on(inEthernet(0x8847, bytes(label(false), label(true), ip4))),
  'MPLS with IPv6': on(inEthernet(0x8847, bytes(label(true), ip6))),
  'MPLS pseudowire': on(inEthernet(0x8847, bytes(label(true), [0, 0, 0, 0], frame)), { tshark: 'no' }),
  'MPLS pseudowire without control word': on(inEthernet(0x8847, bytes(label(true), frame)), { tshark: 'no' }),
  PPPoE: on(inEthernet(0x8864, bytes([0x11, 0, 0, 5], two(2 + ip4.length), two(0x21), ip4))),
  'PPPoE with IPv6': on(inEthernet(0x8864, bytes([0x11, 0, 0, 5], two(2 + ip6.length), two(0x57), ip6))),
  'VXLAN in GRE in a VLAN': on(
    inEthernet(0x8100, bytes(tag, two(0x0800), inIpv4(47, gre(0, 0x0800, inIpv4(17, inUdp(4789, vxlan)))))),
  ),
  InfiniBand: link(LinkType.INFINIBAND, lrh(2, ip4.subarray(28)), { icrc: 'none', tshark: 'no' }),
  'InfiniBand with GRH': link(
    LinkType.INFINIBAND,
    lrh(3, bytes([0x60, 0, 0, 0], two(ip4.length - 28), [27, 64], Array(32).fill(1), ip4.subarray(28))),
    { icrc: 'none', tshark: 'no' },
  ),
  'InfiniBand in ERF': link(
    LinkType.ERF,
    bytes(
      Array(8).fill(0),
      [21, 4],
      two(16 + ip4.length - 28 + 10),
      [0, 0],
      two(ip4.length - 28 + 10),
      lrh(2, ip4.subarray(28)),
    ),
    { icrc: 'none', tshark: 'no' },
  ),
  'Ethernet in ERF': link(
    LinkType.ERF,
    bytes(Array(8).fill(0), [2, 4], two(18 + frame.length), [0, 0], two(frame.length), [0, 0], frame),
    { tshark: 'no' },
  ),
};
