/**
 * A WRITE in four encapsulations, header by header. RoCE v2 is the packet of the run; the others carry its BTH, RETH
 * and payload.
 */
import { EtherType, ethernet, grh, ipv4, IpProtocol, tcp } from '@verbslab/roce';
import { HEADER_BYTES, type IpVersion } from '../wire/sizes.js';
import { fcs, internetChecksum, invariantCrc, mpaCrc, variantCrc } from './checksums.js';

export interface Part {
  header: string;
  bytes: Uint8Array;
  what: string;
}

/** The captured packet, cut into its headers. */
export interface Captured {
  ip: Uint8Array;
  udp: Uint8Array;
  bth: Uint8Array;
  reth: Uint8Array;
  payload: Uint8Array;
  pad: Uint8Array;
  icrc: Uint8Array;
}

export const KINDS = ['InfiniBand', 'RoCE v1', 'RoCE v2', 'iWARP'] as const;
export type Kind = (typeof KINDS)[number];

/** Addresses of the two stations, locally administered. */
const STATIONS = { src: '02:00:00:00:00:01', dst: '02:00:00:00:00:02' };
const RETH_BYTES = 16;
/** Place of the byte in the BTH that routers may change: FECN, BECN and reserved bits. */
const BTH_VARIANT = 4;

export const joined = (parts: readonly Uint8Array[]): Uint8Array => {
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
};

/** @param bytes one WRITE Only, from the IP header to the ICRC @param size of its payload */
export function cutUp(bytes: Uint8Array, ip: IpVersion, size: number): Captured {
  let at = 0;
  const next = (length: number): Uint8Array => bytes.subarray(at, (at += length));
  return {
    ip: next(ip === 4 ? HEADER_BYTES.ipv4 : HEADER_BYTES.ipv6),
    udp: next(HEADER_BYTES.udp),
    bth: next(HEADER_BYTES.bth),
    reth: next(RETH_BYTES),
    payload: next(size),
    pad: next(-size & 3),
    icrc: next(HEADER_BYTES.icrc),
  };
}

const part = (header: string, bytes: Uint8Array, what: string): Part => ({ header, bytes, what });
const ethernetOf = (type: number): Part =>
  part(
    'Ethernet',
    ethernet.bytes({ ...STATIONS, type }),
    'Addresses of the two stations on this link, and what follows',
  );

/** Parts above the network layer, the same in InfiniBand and both versions of RoCE. */
const transport = ({ bth, reth, payload, pad }: Captured): Part[] => [
  part('BTH', bth, 'Operation, destination QP and PSN'),
  part('RETH', reth, 'Address, rkey and length at the target'),
  part('Payload', payload, 'What the program sends'),
  ...(pad.length > 0 ? [part('Pad', pad, 'Up to a multiple of 4 bytes')] : []),
];

const withFcs = (parts: Part[]): Part[] => [
  ...parts,
  part('FCS', fcs(joined(parts.map(({ bytes }) => bytes))), 'Detects damage on this link'),
];

const maskedBth = (parts: readonly Part[]): Uint8Array[] =>
  parts.map(({ header, bytes }) => {
    if (header !== 'BTH') return bytes;
    const masked = Uint8Array.from(bytes);
    masked[BTH_VARIANT] = 0xff;
    return masked;
  });

function roceV2(captured: Captured): Part[] {
  const v4 = captured.ip.length === HEADER_BYTES.ipv4;
  return withFcs([
    ethernetOf(v4 ? EtherType.IPV4 : EtherType.IPV6),
    part(v4 ? 'IPv4' : 'IPv6', captured.ip, 'Addresses of the two hosts: routers forward it'),
    part('UDP', captured.udp, 'Port 4791 says RoCE v2. The source port spreads flows over paths'),
    ...transport(captured),
    part('ICRC', captured.icrc, 'Detects damage from end to end'),
  ]);
}

/** @param gids of client and server, as text */
function roceV1(captured: Captured, [sgid, dgid]: readonly [string, string]): Part[] {
  const above = transport(captured);
  const payloadLength = above.reduce((sum, { bytes }) => sum + bytes.length, 0) + HEADER_BYTES.icrc;
  const header = grh.bytes({
    version: 6,
    trafficClass: 0,
    flowLabel: 0,
    payloadLength,
    nextHeader: IpProtocol.IB_BTH,
    hopLimit: 64,
    sgid,
    dgid,
  });
  const masked = Uint8Array.from(header);
  // Traffic class, flow label and hop limit.
  masked[0]! |= 0x0f;
  masked.fill(0xff, 1, 4);
  masked[7] = 0xff;
  // Ones in place of the LRH, which Ethernet has replaced.
  const icrc = invariantCrc(joined([new Uint8Array(8).fill(0xff), masked, ...maskedBth(above)]));
  return withFcs([
    ethernetOf(EtherType.ROCE_V1),
    part('GRH', header, 'GIDs of the two ports, in the layout of IPv6. IP routers do not know it'),
    ...above,
    part('ICRC', icrc, 'Detects damage from end to end'),
  ]);
}

function infiniband(captured: Captured): Part[] {
  const above = transport(captured);
  const bytes = above.reduce((sum, one) => sum + one.bytes.length, 0);
  const words = (8 + bytes + HEADER_BYTES.icrc) / 4;
  // Virtual lane 0 and version 0; service level 0 and “BTH follows”; LID 2; length in words; LID 1.
  const lrh = Uint8Array.of(0, 2, 0, 2, words >>> 8, words & 0xff, 0, 1);
  const masked = Uint8Array.from(lrh);
  masked[0]! |= 0xf0;
  const icrc = invariantCrc(joined([masked, ...maskedBth(above)]));
  const parts = [
    part('LRH', lrh, 'LIDs of the two ports, virtual lane and service level'),
    ...above,
    part('ICRC', icrc, 'Detects damage from end to end'),
  ];
  return [
    ...parts,
    part('VCRC', variantCrc(joined(parts.map((one) => one.bytes))), 'Detects damage on this link'),
  ];
}

const TCP_PORT = 4420;

/** RDMAP over DDP over MPA over TCP (RFC 5040, 5041, 5044), without markers. The STag has the value of the rkey. */
function iwarp({ ip, reth, payload }: Captured): Part[] {
  const ddp = joined([
    // Tagged, last, version 1; then RDMAP version 1 with opcode RDMA Write.
    Uint8Array.of(0xc1, 0x40),
    reth.subarray(8, 12),
    reth.subarray(0, 8),
  ]);
  const length = ddp.length + payload.length;
  const pad = new Uint8Array(-(2 + length) & 3);
  const mpa = Uint8Array.of(length >>> 8, length & 0xff);
  const crc = mpaCrc(joined([mpa, ddp, payload, pad]));
  const segment = tcp.length + mpa.length + length + pad.length + crc.length;
  const head = Uint8Array.from(ip);
  if (ip.length === ipv4.length) {
    const total = ip.length + segment;
    head.set([total >>> 8, total & 0xff], 2);
    // The checksum counts as zero until it is known.
    head.set([IpProtocol.TCP, 0, 0], 9);
    head.set(internetChecksum(head), 10);
  } else {
    head.set([segment >>> 8, segment & 0xff, IpProtocol.TCP], 4);
  }
  return withFcs([
    ethernetOf(ip.length === ipv4.length ? EtherType.IPV4 : EtherType.IPV6),
    part(ip.length === ipv4.length ? 'IPv4' : 'IPv6', head, 'Addresses of the two hosts: routers forward it'),
    part(
      'TCP',
      tcpHeader(head, joined([mpa, ddp, payload, pad, crc])),
      'A byte stream: order, retransmission, congestion control',
    ),
    part('MPA length', mpa, 'Finds the messages in the byte stream'),
    part('DDP and RDMAP', ddp, 'Operation, STag (the rkey) and offset at the target'),
    part('Payload', payload, 'What the program sends'),
    ...(pad.length > 0 ? [part('MPA pad', pad, 'Up to a multiple of 4 bytes')] : []),
    part('MPA CRC', crc, 'Detects damage from end to end (CRC-32C)'),
  ]);
}

/** Makes a TCP header with its checksum over the pseudo header of IP. @param ip header in front of it */
function tcpHeader(ip: Uint8Array, data: Uint8Array): Uint8Array {
  const header = new Uint8Array(tcp.length);
  // Ports, sequence and acknowledgment numbers 1; five words long; PSH and ACK; window.
  header.set([TCP_PORT >>> 8, TCP_PORT & 0xff, TCP_PORT >>> 8, TCP_PORT & 0xff, 0, 0, 0, 1, 0, 0, 0, 1]);
  header.set([0x50, 0x18, 0xff, 0xff], 12);
  const addresses = ip.length === ipv4.length ? ip.subarray(12, 20) : ip.subarray(8, 40);
  const length = tcp.length + data.length;
  const pseudo = joined([addresses, Uint8Array.of(0, IpProtocol.TCP, length >>> 8, length & 0xff)]);
  header.set(internetChecksum(joined([pseudo, header, data])), 16);
  return header;
}

export const compose = (captured: Captured, gids: readonly [string, string]): Record<Kind, Part[]> => ({
  InfiniBand: infiniband(captured),
  'RoCE v1': roceV1(captured, gids),
  'RoCE v2': roceV2(captured),
  iWARP: iwarp(captured),
});
