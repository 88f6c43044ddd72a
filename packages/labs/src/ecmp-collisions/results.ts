import type { ResultSpecs } from '@verbslab/protocol';

const x = { label: 'QPs per pair', log: true };
const TIME = { label: 'Time of the slowest / ideal' };
const FORMULA = 'Formula: the expected number of QPs on the busiest path, where each path is equally likely.';

export const RESULTS: ResultSpecs = {
  figures: [
    {
      name: 'used',
      label: 'Uplinks in use, one QP per pair',
      unit: '%',
      text: 'Simulated: mean of all seeds.',
    },
    { name: 'used-formula', label: 'Uplinks in use, formula', unit: '%', text: 'Computed: 1 − (1 − 1/M)^M.' },
    {
      name: 'slow-one',
      label: 'Time of the slowest pair / ideal, one QP per pair',
      text: 'Ideal: no path is shared.',
    },
    { name: 'slow-many', label: 'Time of the slowest pair / ideal, most QPs' },
    {
      name: 'residual',
      label: 'Largest difference from the formula, one tier',
      unit: '%',
      text: 'Simulated / formula − 1, where it is farthest from 0.',
    },
    { name: 'own-many', label: 'Two tiers, each switch its own seed: time / ideal, most QPs' },
    { name: 'same-many', label: 'Two tiers, one seed: time / ideal, most QPs' },
  ],
  tables: [
    {
      name: 'qps',
      label: 'Time of the slowest pair / ideal',
      text: `Means of all seeds, with the range. ${FORMULA}`,
      columns: [
        { name: 'fabric', label: 'Fabric' },
        { name: 'qps', label: 'QPs per pair' },
        { name: 'time', label: 'Mean' },
        { name: 'min', label: 'Fastest' },
        { name: 'max', label: 'Slowest' },
        { name: 'formula', label: 'Formula' },
        { name: 'residual', label: 'Difference', unit: '%' },
      ],
    },
  ],
  curves: [
    {
      name: 'one',
      label: 'One tier: time over QPs per pair',
      text: FORMULA,
      x,
      y: TIME,
      series: [
        { name: 'measured', label: 'Simulated' },
        { name: 'formula', label: 'Formula' },
      ],
    },
    {
      name: 'two',
      label: 'Two tiers: time over QPs per pair',
      text: FORMULA,
      x,
      y: TIME,
      series: [
        { name: 'same', label: 'One seed for all switches' },
        { name: 'same-formula', label: 'One seed, formula' },
        { name: 'own', label: 'Each switch its own seed' },
        { name: 'own-formula', label: 'Own seeds, formula' },
      ],
    },
  ],
};
