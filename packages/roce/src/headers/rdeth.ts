import { header, uint } from '../base/header.js';

/**
 * Reliable Datagram Extended Transport Header. No known RoCE device sends it. Without it, RD packets would be misread.
 */
export const rdeth = header({
  id: 'rdeth',
  name: 'infiniband.rdeth',
  title: 'Reliable Datagram Extended Transport Header',
  length: 4,
  fields: {
    reserved: uint(0, 1, { name: 'infiniband.reserved', label: 'Reserved', hex: 2, doc: 'Must be zero.' }),
    eeContext: uint(1, 3, {
      name: 'infiniband.rdeth.eecnxt',
      label: 'End-to-end context',
      doc: 'Number of the end-to-end context, which tracks reliable datagrams.',
    }),
  },
});
