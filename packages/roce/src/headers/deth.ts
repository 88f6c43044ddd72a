import { hexNumber } from '../base/bytes.js';
import { header, uint } from '../base/header.js';

/** Q_Key of QP1, which carries connection management. */
export const GSI_QKEY = 0x80010000;

/** Datagram Extended Transport Header. */
export const deth = header({
  id: 'deth',
  name: 'infiniband.deth',
  title: 'Datagram Extended Transport Header',
  length: 8,
  fields: {
    qkey: uint(0, 4, {
      name: 'infiniband.deth.q_key',
      label: 'Queue key',
      text: (v) => (v === GSI_QKEY ? `${hexNumber(v, 8)} (QP1)` : hexNumber(v, 8)),
      doc: 'Must equal the key of the receiving QP, or the datagram is silently dropped.',
    }),
    reserved: uint(4, 1, { name: 'infiniband.reserved', label: 'Reserved', hex: 2, doc: 'Must be zero.' }),
    srcQp: uint(5, 3, {
      name: 'infiniband.deth.srcqp',
      label: 'Source queue pair',
      hex: 6,
      doc: 'QP that sent the datagram, so that the receiver can answer.',
    }),
  },
});
