import { header, uint } from '../base/header.js';

/** IANA port of RoCEv2. */
export const ROCE_UDP_PORT = 4791;

export const udp = header({
  id: 'udp',
  name: 'udp',
  title: 'User Datagram Protocol',
  length: 8,
  fields: {
    srcPort: uint(0, 2, {
      name: 'udp.srcport',
      label: 'Source port',
      doc: 'NICs and rxe choose one per QP, so that equal-cost paths spread QPs and keep each one in order; the embedded device always uses 4791.',
    }),
    dstPort: uint(2, 2, {
      name: 'udp.dstport',
      label: 'Destination port',
      text: (v) => (v === ROCE_UDP_PORT ? `${v} (RoCEv2)` : String(v)),
      doc: '4791 for RoCEv2, for data and connection management alike.',
    }),
    length: uint(4, 2, {
      name: 'udp.length',
      label: 'Length',
      doc: 'Bytes of this header and what follows.',
    }),
    checksum: uint(6, 2, {
      name: 'udp.checksum',
      label: 'Checksum',
      text: (v) => (v === 0 ? '0x0000 (not used)' : `0x${v.toString(16).padStart(4, '0')}`),
      doc: 'NICs and rxe send 0 on RoCE, because the ICRC protects the packet.',
    }),
  },
});
