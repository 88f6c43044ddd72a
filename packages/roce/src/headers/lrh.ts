import { header, uint } from '../base/header.js';

/** The header after the LRH. */
export const LinkNext = { RAW: 0, IPV6: 1, BTH: 2, GRH: 3 } as const;

/** Local Route Header, the link header of InfiniBand in place of Ethernet. */
export const lrh = header({
  id: 'lrh',
  name: 'infiniband.lrh',
  title: 'Local Route Header',
  length: 8,
  fields: {
    virtualLane: uint(0, 1, {
      name: 'infiniband.lrh.vl',
      label: 'Virtual lane',
      mask: 0xf0,
      doc: 'Queue of the link; each but lane 15 has its own credits.',
    }),
    version: uint(0, 1, { name: 'infiniband.lrh.lver', label: 'Version', mask: 0x0f, doc: 'Always 0.' }),
    serviceLevel: uint(1, 1, {
      name: 'infiniband.lrh.sl',
      label: 'Service level',
      mask: 0xf0,
      doc: 'Class of service, which switches map to a virtual lane.',
    }),
    reserved2: uint(1, 1, {
      name: 'infiniband.lrh.reserved2',
      label: 'Reserved',
      mask: 0x0c,
      doc: 'Must be zero.',
    }),
    next: uint(1, 1, {
      name: 'infiniband.lrh.lnh',
      label: 'Next header',
      mask: 0x03,
      doc: '2 means that a BTH follows, 3 a GRH.',
    }),
    dlid: uint(2, 2, {
      name: 'infiniband.lrh.dlid',
      label: 'Destination LID',
      doc: 'Local identifier of the port or multicast group it is meant for.',
    }),
    reserved5: uint(4, 2, {
      name: 'infiniband.lrh.reserved5',
      label: 'Reserved',
      mask: 0xf800,
      doc: 'Must be zero.',
    }),
    words: uint(4, 2, {
      name: 'infiniband.lrh.pktlen',
      label: 'Packet length',
      mask: 0x07ff,
      text: (v) => `${v * 4} bytes (${v})`,
      doc: 'From this header through the ICRC, in four-byte words.',
    }),
    slid: uint(6, 2, {
      name: 'infiniband.lrh.slid',
      label: 'Source LID',
      doc: 'Local identifier of the port that sent the packet.',
    }),
  },
});
