import { parseIpv4, parseIpv6, writeUint } from '../base/bytes.js';
import type { FieldTable, Header, ValueOf } from '../base/header.js';
import {
  bth,
  ethernet,
  EtherType,
  IpProtocol,
  ipv4,
  ipv4Checksum,
  ipv6,
  ROCE_UDP_PORT,
  udp,
} from '../headers/index.js';
import { computeIcrc, ICRC_LENGTH } from './icrc.js';

/** A RoCEv2 packet to make. Lengths, pad, checksums and ICRC are computed. */
export interface PacketToBuild {
  src: string;
  dst: string;
  srcPort?: number;
  /** IPv4 identification. */
  id?: number;
  ttl?: number;
  dscp?: number;
  ecn?: number;
  bth: Partial<ValueOf<typeof bth.fields>> & { opcode: number; destQp: number; psn: number };
  /** Extended headers in order, each made with `header.bytes(value)`. */
  headers?: Uint8Array[];
  payload?: Uint8Array;
  /** Addresses of an Ethernet header in front. Without them the packet begins with IP (link type RAW). */
  ethernet?: { src: string; dst: string };
}

const BTH_DEFAULTS: ValueOf<typeof bth.fields> = {
  opcode: 0,
  solicited: false,
  migReq: false,
  padCount: 0,
  version: 0,
  pkey: 0xffff,
  fecn: false,
  becn: false,
  reserved6: 0,
  destQp: 0,
  ackReq: false,
  reserved7: 0,
  psn: 0,
};

/**
 * Builds a packet. Throws a RangeError if an address or a field is out of range. For tests, examples and generated
 * captures.
 */
export function buildPacket(p: PacketToBuild): Uint8Array {
  const v4 = parseIpv4(p.src) !== null;
  if (!v4 && !parseIpv6(p.src)) throw new RangeError(`'${p.src}' is not an IP address`);
  const payload = p.payload ?? new Uint8Array(0);
  const padCount = -payload.length & 3;
  const extended = (p.headers ?? []).reduce((n, h) => n + h.length, 0);
  const transport = udp.length + bth.length + extended + payload.length + padCount + ICRC_LENGTH;
  const network = v4 ? ipv4 : ipv6;
  const link = p.ethernet ? ethernet.length : 0;
  const out = new Uint8Array(link + network.length + transport);
  if (p.ethernet) ethernet.emit({ ...p.ethernet, type: v4 ? EtherType.IPV4 : EtherType.IPV6 }, out);
  if (v4) putIpv4(p, out, link, transport);
  else putIpv6(p, out, link, transport);
  let at = link + network.length;
  at += put(
    udp,
    { srcPort: p.srcPort ?? 0xc000, dstPort: ROCE_UDP_PORT, length: transport, checksum: 0 },
    out,
    at,
  );
  const bthAt = at;
  at += put(bth, { ...BTH_DEFAULTS, padCount, ...p.bth }, out, at);
  for (const h of p.headers ?? []) {
    out.set(h, at);
    at += h.length;
  }
  out.set(payload, at);
  at += payload.length + padCount;
  writeUint(out, at, ICRC_LENGTH, computeIcrc(out, link, bthAt, at));
  return out;
}

function put<F extends FieldTable>(h: Header<F>, value: ValueOf<F>, out: Uint8Array, at: number): number {
  return h.emit(value, out, at);
}

function putIpv4(p: PacketToBuild, out: Uint8Array, at: number, transport: number): void {
  const value = {
    version: 4,
    headerWords: 5,
    dscp: p.dscp ?? 0,
    ecn: p.ecn ?? 0,
    totalLength: ipv4.length + transport,
    id: p.id ?? 0,
    reserved: false,
    dontFragment: true,
    moreFragments: false,
    fragmentOffset: 0,
    ttl: p.ttl ?? 64,
    protocol: IpProtocol.UDP,
    checksum: 0,
    src: p.src,
    dst: p.dst,
  };
  ipv4.emit(value, out, at);
  writeUint(out, at + 10, 2, ipv4Checksum(out, at, ipv4.length));
}

function putIpv6(p: PacketToBuild, out: Uint8Array, at: number, transport: number): void {
  ipv6.emit(
    {
      version: 6,
      dscp: p.dscp ?? 0,
      ecn: p.ecn ?? 0,
      flowLabel: 0,
      payloadLength: transport,
      nextHeader: IpProtocol.UDP,
      hopLimit: p.ttl ?? 64,
      src: p.src,
      dst: p.dst,
    },
    out,
    at,
  );
}
