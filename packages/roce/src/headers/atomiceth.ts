import { header, uint, uint64 } from '../base/header.js';

/** Atomic Extended Transport Header. */
export const atomiceth = header({
  id: 'atomiceth',
  name: 'infiniband.atomiceth',
  title: 'Atomic Extended Transport Header',
  length: 28,
  fields: {
    // Wireshark shows address and key of an atomic under the RETH's names.
    va: uint64(0, {
      name: 'infiniband.reth.va',
      label: 'Virtual address',
      doc: 'Address of the 8 bytes at the responder; it must be a multiple of 8.',
    }),
    rkey: uint(8, 4, {
      name: 'infiniband.reth.r_key',
      label: 'Remote key',
      hex: 8,
      doc: 'Key of the memory region; it must allow remote atomics.',
    }),
    swapOrAdd: uint64(12, {
      name: 'infiniband.atomiceth.swapdt',
      label: 'Swap (or add) data',
      text: (v) => `${v}`,
      doc: 'New value of a compare-and-swap, or the number that fetch-and-add adds.',
    }),
    compare: uint64(20, {
      name: 'infiniband.atomiceth.cmpdt',
      label: 'Compare data',
      text: (v) => `${v}`,
      doc: 'Value that memory must hold for a compare-and-swap to happen; unused by fetch-and-add.',
    }),
  },
});
