import type { ResultSpecs } from '@verbslab/protocol';
import { LOSSES } from './losses.js';

const x = { label: 'Hosts', log: true };

export const RESULTS: ResultSpecs = {
  figures: [
    {
      name: 'rare',
      label: 'Time / without loss at 0.01 % loss, most hosts',
      text: 'Simulated: mean of all seeds.',
    },
    { name: 'some', label: 'Time / without loss at 0.1 % loss, most hosts' },
    { name: 'many', label: 'Time / without loss at 1 % loss, most hosts' },
    {
      name: 'formula',
      label: 'The same, formula',
      text: 'Computed: 1 + waited-for timeouts × timeout / time.',
    },
    {
      name: 'barrier',
      label: 'At 0.1 % loss, with a barrier after every step',
      text: 'Computed: not simulated.',
    },
    { name: 'timeouts', label: 'Timeouts of a run at 1 % loss, most hosts', text: 'Simulated: mean.' },
    { name: 'expected', label: 'Timeouts of a run, expected', text: 'Computed.' },
    {
      name: 'waited',
      label: 'Timeouts waited for one after another',
      text: 'Simulated: extra time / timeout.',
    },
    { name: 'rto', label: 'ACK timeout', unit: 'ms' },
    { name: 'whole', label: 'Time without loss, most hosts', unit: 'ms' },
  ],
  tables: [
    {
      name: 'rings',
      label: 'All rings',
      text: 'Means of all seeds.',
      columns: [
        { name: 'hosts', label: 'Hosts' },
        { name: 'loss', label: 'Loss', unit: '%' },
        { name: 'slowdown', label: 'Time / without loss' },
        { name: 'max', label: 'Slowest seed' },
        { name: 'formula', label: 'Formula' },
        { name: 'timeouts', label: 'Timeouts' },
        { name: 'expected', label: 'Expected' },
        { name: 'again', label: 'Sent again' },
      ],
    },
  ],
  curves: [
    {
      name: 'slowdown',
      label: 'Time of an all-reduce over hosts',
      text: 'Formula: one timeout for each on the longest chain of dependent steps.',
      x,
      y: { label: 'Time / without loss', log: true },
      series: LOSSES.flatMap(({ id, percent }) => [
        { name: id, label: `${percent} %` },
        { name: `${id}-formula`, label: `${percent} %, formula` },
      ]),
    },
    {
      name: 'expired',
      label: 'Timeouts of an all-reduce at 1 % loss',
      text: 'Expected: packets that are lost again when they are resent, and last packets of the last step.',
      x,
      y: { label: 'Timeouts', log: true },
      series: [
        { name: 'measured', label: 'Simulated' },
        { name: 'expected', label: 'Expected' },
        { name: 'waited', label: 'Waited for one after another' },
      ],
    },
  ],
};
