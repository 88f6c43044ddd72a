import { header, uint } from '../base/header.js';

/** FLUSH Extended Transport Header. */
export const feth = header({
  id: 'feth',
  name: 'infiniband.feth',
  title: 'FLUSH Extended Transport Header',
  length: 4,
  fields: {
    reserved: uint(0, 4, {
      name: 'infiniband.feth.reserved',
      ours: true,
      label: 'Reserved',
      mask: 0xffffffc0,
      doc: 'Must be zero.',
    }),
    level: uint(0, 4, {
      name: 'infiniband.feth.sel',
      ours: true,
      label: 'Selectivity level',
      mask: 0x30,
      text: (v) => `${['Range', 'Whole memory region'][v] ?? 'Reserved'} (${v})`,
      doc: 'Whether the range in the RETH or the whole memory region is flushed.',
    }),
    type: uint(0, 4, {
      name: 'infiniband.feth.plt',
      ours: true,
      label: 'Placement type',
      mask: 0x0f,
      text: (v) =>
        `${[v & 1 ? 'global visibility' : '', v & 2 ? 'persistence' : ''].filter(Boolean).join(' and ') || 'none'} (${v})`,
      doc: 'What must hold before the answer: visible to all, or in persistent memory.',
    }),
  },
});
