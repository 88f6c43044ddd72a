import type { CurveSpec, ResultSpecs } from '@verbslab/protocol';
import { FABRICS, PATTERNS } from './scenarios.js';

const FORMULA =
  'Formula: the expected load of the busiest uplink, where the hash picks each with equal probability.';

export const RESULTS: ResultSpecs = {
  figures: [
    {
      name: 'all-over',
      label: 'All-to-all at 4:1, time / ideal, leaf-spine',
      text: 'Simulated: mean of all seeds.',
    },
    { name: 'all-even', label: 'All-to-all at 1:1, time / ideal, leaf-spine' },
    { name: 'rank-leaf', label: 'Same NIC of the next server at 1:1, time / ideal, leaf-spine' },
    { name: 'rank-rail', label: 'The same, rails' },
    { name: 'neighbor-leaf', label: 'Next NIC at 1:1, time / ideal, leaf-spine' },
    { name: 'neighbor-rail', label: 'The same, rails' },
    {
      name: 'residual',
      label: 'Largest difference from the formula',
      unit: '%',
      text: 'Simulated / formula − 1, where it is farthest from 0.',
    },
    { name: 'same-order', label: 'All-to-all in turn, all to the same host, time / ideal' },
    { name: 'same-queue', label: 'Its longest queue', unit: 'B' },
    { name: 'staggered', label: 'All-to-all in turn, each to another host, time / ideal' },
    { name: 'staggered-queue', label: 'Its longest queue, each to another host', unit: 'B' },
  ],
  tables: [
    {
      name: 'settings',
      label: 'All fabrics and patterns',
      text: FORMULA,
      columns: [
        { name: 'pattern', label: 'Pattern' },
        { name: 'fabric', label: 'Fabric' },
        { name: 'over', label: 'Oversubscription' },
        { name: 'time', label: 'Time / ideal' },
        { name: 'formula', label: 'Formula' },
        { name: 'residual', label: 'Difference', unit: '%' },
        { name: 'queue', label: 'Longest queue', unit: 'B' },
      ],
    },
    {
      name: 'orders',
      label: 'An all-to-all in three orders',
      columns: [
        { name: 'order', label: 'Order' },
        { name: 'time', label: 'Time / ideal' },
        { name: 'formula', label: 'Formula' },
        { name: 'queue', label: 'Longest queue', unit: 'B' },
      ],
    },
  ],
  curves: PATTERNS.map(({ id, name }): CurveSpec => ({
    name: id,
    label: `${name}: time over oversubscription`,
    text: FORMULA,
    x: { label: 'Hosts of a switch per uplink' },
    y: { label: 'Time / ideal' },
    series: FABRICS.flatMap(({ kind, name: fabric }) => [
      { name: kind, label: fabric },
      { name: `${kind}-formula`, label: `${fabric}, formula` },
    ]),
  })),
};
