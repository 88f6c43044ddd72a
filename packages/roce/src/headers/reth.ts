import { header, uint, uint64 } from '../base/header.js';

/** RDMA Extended Transport Header: the place in remote memory. */
export const reth = header({
  id: 'reth',
  name: 'infiniband.reth',
  title: 'RDMA Extended Transport Header',
  length: 16,
  fields: {
    va: uint64(0, {
      name: 'infiniband.reth.va',
      label: 'Virtual address',
      doc: 'Address in the memory of the responder at which the WRITE or READ begins.',
    }),
    rkey: uint(8, 4, {
      name: 'infiniband.reth.r_key',
      label: 'Remote key',
      hex: 8,
      doc: 'Key of the memory region; the responder checks that it allows this access to this range.',
    }),
    dmaLength: uint(12, 4, {
      name: 'infiniband.reth.dmalen',
      label: 'DMA length',
      text: (v) => `${v} bytes`,
      doc: 'Length of the whole WRITE, or of the data that this READ request asks for; not of this packet.',
    }),
  },
});
