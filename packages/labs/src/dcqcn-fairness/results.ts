import type { FigureSpec, ResultSpecs } from '@verbslab/protocol';
import { PRESETS } from './scenario.js';

const FAIR = 'Until Jain’s index of the rates over 0.4 ms is 0.95 or more for 2 ms.';
const MEAN = 'Mean after the last start.';

export const RESULTS: ResultSpecs = {
  headline: { table: 'presets', columns: ['preset', 'fair', 'newcomer', 'jain', 'use'] },
  figures: [
    {
      name: 'fair-paper',
      label: 'Time until the last flow has its fair share: paper',
      unit: 'ms',
      text: FAIR,
    },
    { name: 'fair-second', label: 'The same for the second flow: paper', unit: 'ms', text: FAIR },
    {
      name: 'full-paper',
      label: 'Time until the link is full again: paper',
      unit: 'ms',
      text: 'From the last start until the goodput stays at 90 % of what the link carries, or more.',
    },
    ...PRESETS.flatMap(({ name, label }): FigureSpec[] => [
      { name: `newcomer-${name}`, label: `Part of the last flow: ${label}`, unit: '%', text: MEAN },
      { name: `jain-${name}`, label: `Jain’s index: ${label}`, text: MEAN },
      { name: `use-${name}`, label: `Use of the link: ${label}`, unit: '%', text: MEAN },
    ]),
    {
      name: 'rise',
      label: 'Rise of each of the first two flows: HPCC’s ns-3',
      unit: 'Gb/s per 10 ms',
      text: 'While they are alone, after the cuts.',
    },
    {
      name: 'rise-formula',
      label: 'Rise by the formula',
      unit: 'Gb/s per 10 ms',
      text: 'Computed: an additive step per period, without headers.',
    },
    { name: 'residual', label: 'Rise against the formula', unit: '%', text: 'Simulated / formula − 1.' },
    {
      name: 'regain',
      label: 'Time to regain 50 Gb/s by its steps',
      unit: 'ms',
      text: 'Computed: 20 Mb/s every 300 µs.',
    },
  ],
  tables: [
    {
      name: 'presets',
      label: 'Three sets of constants',
      text: 'Medians over the seeds. A dash: not in this run. Steps alone: additive step / period.',
      columns: [
        { name: 'preset', label: 'Constants' },
        { name: 'second', label: 'Second fair after', unit: 'ms' },
        { name: 'fair', label: 'Last fair after', unit: 'ms' },
        { name: 'full', label: 'Full after', unit: 'ms' },
        { name: 'newcomer', label: 'Part of the last', unit: '%' },
        { name: 'jain', label: 'Jain’s index' },
        { name: 'use', label: 'Use of the link', unit: '%' },
        { name: 'rise', label: 'Rise', unit: 'Gb/s per 10 ms' },
        { name: 'steps', label: 'Steps alone', unit: 'Gb/s per 10 ms' },
        { name: 'cnps', label: 'CNPs' },
      ],
    },
  ],
  curves: [
    ...PRESETS.map(({ name, label }) => ({
      name: `rates-${name}`,
      label: `Rates: ${label}`,
      text: 'The first seed.',
      x: { label: 'Time', unit: 'ms' },
      y: { label: 'Goodput', unit: 'Gb/s' },
      series: [1, 2, 3].map((flow) => ({ name: `flow-${flow}`, label: `Flow ${flow}` })),
    })),
    {
      name: 'jain',
      label: 'Fairness over time',
      text: 'The first seed. 1: all flows have the same rate.',
      x: { label: 'Time', unit: 'ms' },
      y: { label: 'Jain’s index' },
      series: PRESETS.map(({ name, label }) => ({ name, label })),
    },
  ],
};
