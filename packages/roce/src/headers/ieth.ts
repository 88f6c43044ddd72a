import { header, uint } from '../base/header.js';

/** Invalidate Extended Transport Header. */
export const ieth = header({
  id: 'ieth',
  name: 'infiniband.ieth',
  title: 'Invalidate Extended Transport Header',
  length: 4,
  fields: {
    rkey: uint(0, 4, {
      name: 'infiniband.ieth',
      label: 'Key to invalidate',
      hex: 8,
      doc: 'Memory key at the receiver that must not be used any more after this SEND.',
    }),
  },
});
