import { header, uint } from '../base/header.js';

/** Immediate data. */
export const immdt = header({
  id: 'immdt',
  name: 'infiniband.immdt',
  title: 'Immediate Data',
  length: 4,
  fields: {
    value: uint(0, 4, {
      name: 'infiniband.immdt',
      label: 'Immediate data',
      hex: 8,
      doc: 'Four bytes passed to the receive completion; imm_data there holds them in network order.',
    }),
  },
});
