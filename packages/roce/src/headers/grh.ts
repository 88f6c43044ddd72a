import { header, ipv6Address, uint } from '../base/header.js';
import { docs, protocolText } from './ip.js';

/** Global Route Header: in front of the BTH in RoCEv1, and in the first 40 bytes of a UD receive buffer. */
export const grh = header({
  id: 'grh',
  name: 'infiniband.grh',
  title: 'Global Route Header',
  length: 40,
  fields: {
    version: uint(0, 1, { name: 'infiniband.grh.ipver', label: 'IP version', mask: 0xf0, doc: 'Always 6.' }),
    trafficClass: uint(0, 2, {
      name: 'infiniband.grh.tclass',
      label: 'Traffic class',
      mask: 0x0ff0,
      doc: docs.dscp,
    }),
    flowLabel: uint(0, 4, {
      name: 'infiniband.grh.flowlabel',
      label: 'Flow label',
      mask: 0x000fffff,
      doc: 'Number that keeps the packets of one flow on one path.',
    }),
    payloadLength: uint(4, 2, {
      name: 'infiniband.grh.paylen',
      label: 'Payload length',
      doc: 'Bytes after this header, up to and including the ICRC.',
    }),
    nextHeader: uint(6, 1, {
      name: 'infiniband.grh.nxthdr',
      label: 'Next header',
      text: protocolText,
      doc: '27 means that a BTH follows.',
    }),
    hopLimit: uint(7, 1, { name: 'infiniband.grh.hoplmt', label: 'Hop limit', doc: docs.hops }),
    sgid: ipv6Address(8, {
      name: 'infiniband.grh.sgid',
      label: 'Source GID',
      doc: 'Global identifier of the port that sent the packet.',
    }),
    dgid: ipv6Address(24, {
      name: 'infiniband.grh.dgid',
      label: 'Destination GID',
      doc: 'Global identifier of the port or multicast group it is meant for.',
    }),
  },
});
