import { byteString, flag, header, uint } from '../base/header.js';

export const ErfType = { ETHERNET: 2, INFINIBAND: 21, IPV4: 22, IPV6: 23 } as const;
export const ERF_HEADER = 16;

/** Endace's record header, in front of each packet of a hardware capture. */
export const erf = header({
  id: 'erf',
  name: 'erf',
  title: 'Extensible Record Format',
  length: ERF_HEADER,
  fields: {
    timestamp: byteString(0, 8, {
      name: 'erf.timestamp',
      ours: true,
      label: 'Time',
      doc: 'Seconds and their fraction since 1970, little-endian.',
    }),
    more: flag(8, 1, {
      name: 'erf.types.ext_header',
      label: 'Extension header',
      mask: 0x80,
      doc: 'Extension headers of 8 bytes follow.',
    }),
    type: uint(8, 1, {
      name: 'erf.types.type',
      label: 'Type',
      mask: 0x7f,
      doc: '2 is Ethernet, 21 is InfiniBand, 22 is IPv4, 23 is IPv6.',
    }),
    flags: uint(9, 1, {
      name: 'erf.flags',
      label: 'Flags',
      hex: 2,
      doc: 'Port, and whether the packet was cut.',
    }),
    recordLength: uint(10, 2, { name: 'erf.rlen', label: 'Record length', doc: 'Bytes of the record.' }),
    lost: uint(12, 2, { name: 'erf.lctr', label: 'Loss counter', doc: 'Packets lost before this one.' }),
    wireLength: uint(14, 2, {
      name: 'erf.wlen',
      label: 'Wire length',
      doc: 'Bytes of the packet on the wire.',
    }),
  },
});
