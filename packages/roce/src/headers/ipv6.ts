import { header, ipv6Address, uint } from '../base/header.js';
import { docs, ecnText, protocolText } from './ip.js';

export const ipv6 = header({
  id: 'ipv6',
  name: 'ipv6',
  title: 'Internet Protocol Version 6',
  length: 40,
  fields: {
    version: uint(0, 1, { name: 'ipv6.version', label: 'Version', mask: 0xf0, doc: 'Always 6.' }),
    dscp: uint(0, 4, { name: 'ipv6.tclass.dscp', label: 'DSCP', mask: 0x0fc00000, doc: docs.dscp }),
    ecn: uint(0, 4, {
      name: 'ipv6.tclass.ecn',
      label: 'ECN',
      mask: 0x00300000,
      text: ecnText,
      doc: docs.ecn,
    }),
    flowLabel: uint(1, 3, {
      name: 'ipv6.flow',
      label: 'Flow label',
      mask: 0x0fffff,
      hex: 5,
      doc: 'Number that keeps the packets of one flow on one path; not covered by the ICRC.',
    }),
    payloadLength: uint(4, 2, {
      name: 'ipv6.plen',
      label: 'Payload length',
      doc: 'Bytes after this header.',
    }),
    nextHeader: uint(6, 1, {
      name: 'ipv6.nxt',
      label: 'Next header',
      text: protocolText,
      doc: 'What follows.',
    }),
    hopLimit: uint(7, 1, { name: 'ipv6.hlim', label: 'Hop limit', doc: docs.hops }),
    src: ipv6Address(8, { name: 'ipv6.src', label: 'Source address', doc: 'Address of the sender.' }),
    dst: ipv6Address(24, { name: 'ipv6.dst', label: 'Destination address', doc: 'Address of the receiver.' }),
  },
});
