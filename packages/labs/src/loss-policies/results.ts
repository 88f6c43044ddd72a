import type { ResultSpecs } from '@verbslab/protocol';
import { RECOVERIES } from './formula.js';

const x = { label: 'Loss', unit: '%', log: true };

export const RESULTS: ResultSpecs = {
  figures: [
    {
      name: 'n',
      label: 'Goodput kept at 1 % loss, go-back-N',
      unit: '%',
      text: 'Simulated: mean of all seeds.',
    },
    { name: 'zero', label: 'Goodput kept at 1 % loss, go-back-0', unit: '%' },
    { name: 'selective', label: 'Goodput kept at 1 % loss, selective repeat', unit: '%' },
    { name: 'n-some', label: 'Goodput kept at 0.1 % loss, go-back-N', unit: '%' },
    {
      name: 'n-again',
      label: 'Packets sent again per loss, go-back-N, 1 %',
      text: 'Simulated: mean of all seeds.',
    },
    { name: 'selective-again', label: 'Packets sent again per loss, selective repeat, 1 %' },
    {
      name: 'residual',
      label: 'Largest difference from the formulas',
      unit: '%',
      text: 'Simulated / formula − 1, where it is farthest from 0.',
    },
  ],
  tables: [
    {
      name: 'points',
      label: 'All simulations',
      text: 'Means of all seeds.',
      columns: [
        { name: 'recovery', label: 'Recovery' },
        { name: 'loss', label: 'Loss', unit: '%' },
        { name: 'kept', label: 'Goodput kept', unit: '%' },
        { name: 'formula', label: 'Formula', unit: '%' },
        { name: 'residual', label: 'Difference', unit: '%' },
        { name: 'again', label: 'Sent again per loss' },
        { name: 'timeouts', label: 'Timeouts' },
      ],
    },
  ],
  curves: [
    {
      name: 'kept',
      label: 'Goodput kept over loss',
      x,
      y: { label: 'Share of the full link', unit: '%' },
      series: RECOVERIES.flatMap(({ id, name }) => [
        { name: id, label: name },
        { name: `${id}-formula`, label: `${name}, formula` },
      ]),
    },
    {
      name: 'again',
      label: 'Packets sent again per loss',
      x,
      y: { label: 'Packets', log: true },
      series: RECOVERIES.map(({ id, name }) => ({ name: id, label: name })),
    },
  ],
};
