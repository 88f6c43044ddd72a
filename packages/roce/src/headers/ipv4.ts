import { flag, header, ipv4Address, uint } from '../base/header.js';
import { docs, ecnText, protocolText } from './ip.js';

/** IPv4 header without its options. */
export const ipv4 = header({
  id: 'ipv4',
  name: 'ip',
  title: 'Internet Protocol Version 4',
  length: 20,
  fields: {
    version: uint(0, 1, { name: 'ip.version', label: 'Version', mask: 0xf0, doc: 'Always 4.' }),
    headerWords: uint(0, 1, {
      name: 'ip.hdr_len',
      label: 'Header length',
      mask: 0x0f,
      text: (v) => `${v * 4} bytes (${v})`,
      doc: 'Length of this header in four-byte words; 5 without options.',
    }),
    dscp: uint(1, 1, { name: 'ip.dsfield.dscp', label: 'DSCP', mask: 0xfc, doc: docs.dscp }),
    ecn: uint(1, 1, { name: 'ip.dsfield.ecn', label: 'ECN', mask: 0x03, text: ecnText, doc: docs.ecn }),
    totalLength: uint(2, 2, {
      name: 'ip.len',
      label: 'Total length',
      doc: 'Bytes of the IP packet, this header included.',
    }),
    id: uint(4, 2, {
      name: 'ip.id',
      label: 'Identification',
      text: (v) => `0x${v.toString(16).padStart(4, '0')} (${v})`,
      doc: 'Number of the datagram; the ICRC covers it, so sender and wire must agree on it.',
    }),
    reserved: flag(6, 1, { name: 'ip.flags.rb', label: 'Reserved bit', mask: 0x80, doc: 'Must be zero.' }),
    dontFragment: flag(6, 1, {
      name: 'ip.flags.df',
      label: "Don't fragment",
      mask: 0x40,
      doc: 'Set on RoCE: its packets are sized to the path MTU and must arrive whole.',
    }),
    moreFragments: flag(6, 1, {
      name: 'ip.flags.mf',
      label: 'More fragments',
      mask: 0x20,
      doc: 'Set on every fragment but the last.',
    }),
    fragmentOffset: uint(6, 2, {
      name: 'ip.frag_offset',
      label: 'Fragment offset',
      mask: 0x1fff,
      text: (v) => String(v * 8),
      doc: 'Place of this fragment in the datagram.',
    }),
    ttl: uint(8, 1, { name: 'ip.ttl', label: 'Time to live', doc: docs.hops }),
    protocol: uint(9, 1, { name: 'ip.proto', label: 'Protocol', text: protocolText, doc: 'What follows.' }),
    checksum: uint(10, 2, {
      name: 'ip.checksum',
      label: 'Header checksum',
      hex: 4,
      doc: 'Checksum of this header; not covered by the ICRC because every router changes it.',
    }),
    src: ipv4Address(12, { name: 'ip.src', label: 'Source address', doc: 'Address of the sender.' }),
    dst: ipv4Address(16, { name: 'ip.dst', label: 'Destination address', doc: 'Address of the receiver.' }),
  },
});

/** Internet checksum (RFC 1071) over a header whose checksum field counts as zero. */
export function ipv4Checksum(bytes: Uint8Array, offset: number, length: number): number {
  let sum = 0;
  for (let i = 0; i < length; i += 2) {
    if (i === 10) continue;
    sum += (bytes[offset + i]! << 8) | (bytes[offset + i + 1] ?? 0);
  }
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return ~sum & 0xffff;
}
