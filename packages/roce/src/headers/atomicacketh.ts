import { header, uint64 } from '../base/header.js';

/** Atomic ACK Extended Transport Header. */
export const atomicacketh = header({
  id: 'atomicacketh',
  name: 'infiniband.atomicacketh',
  title: 'Atomic ACK Extended Transport Header',
  length: 8,
  fields: {
    original: uint64(0, {
      name: 'infiniband.atomicacketh.origremdt',
      label: 'Original remote data',
      text: (v) => `${v}`,
      doc: 'What the 8 bytes held before the atomic was executed.',
    }),
  },
});
