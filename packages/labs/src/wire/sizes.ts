/** Bytes of RoCEv2 packets, added up from their headers. Pure functions. */
import { opcodeInfo } from '@verbslab/roce';

/** Bytes of the headers that every RoCEv2 packet has. */
export const HEADER_BYTES = { ipv4: 20, ipv6: 40, udp: 8, bth: 12, icrc: 4 } as const;

/**
 * Bytes that Ethernet adds to each IP packet: preamble and start delimiter 8, addresses and EtherType 14, FCS 4, gap to
 * the next frame 12 (IEEE 802.3).
 */
export const ETHERNET_BYTES = 38;

export type IpVersion = 4 | 6;

/** @param gid as text; an IPv4 address has the form `::ffff:192.0.2.1` */
export const ipVersionOf = (gid: string): IpVersion => (gid.startsWith('::ffff:') ? 4 : 6);

/** Payloads are padded to a multiple of four bytes. */
export const padOf = (payload: number): number => -payload & 3;

/** Bytes around the payload of a packet, without its pad: IP, UDP, BTH, extended headers and ICRC. */
export function overhead(opcode: number, ip: IpVersion): number {
  const { ipv4, ipv6, udp, bth, icrc } = HEADER_BYTES;
  return (ip === 4 ? ipv4 : ipv6) + udp + bth + (opcodeInfo(opcode)?.headersLength ?? 0) + icrc;
}

/** Bytes of the whole IP packet. */
export const packetBytes = (opcode: number, payload: number, ip: IpVersion): number =>
  overhead(opcode, ip) + payload + padOf(payload);

/** Part of the bytes on Ethernet that is payload. @param bytes of IP packets */
export const shareOnEthernet = (payload: number, bytes: number, packets: number): number =>
  payload / (bytes + packets * ETHERNET_BYTES);
