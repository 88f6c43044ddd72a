import { header, uint } from '../base/header.js';

/** XRC Extended Transport Header: the shared receive queue of the target. */
export const xrceth = header({
  id: 'xrceth',
  name: 'infiniband.xrceth',
  title: 'XRC Extended Transport Header',
  length: 4,
  fields: {
    reserved: uint(0, 1, {
      name: 'infiniband.xrceth.reserved',
      ours: true,
      label: 'Reserved',
      hex: 2,
      doc: 'Must be zero.',
    }),
    srq: uint(1, 3, {
      name: 'infiniband.xrceth.srqn',
      ours: true,
      label: 'XRC shared receive queue',
      hex: 6,
      doc: 'Number of the shared receive queue at the responder that the message is for.',
    }),
  },
});
