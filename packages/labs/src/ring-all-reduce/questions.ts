import { formatNumber } from '../base/format.js';
import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { costsOf } from './schedule.js';

export const RING_ALL_REDUCE_QUESTIONS = [
  numberCheck({
    id: 'bytes',
    numbers: { hosts: [4, 8, 16, 32], mib: [16, 64, 256] },
    text: ({ hosts, mib }) =>
      `${hosts} hosts do a ring all-reduce of vectors of ${mib} MiB. How many MiB does each host send?`,
    answer: ({ hosts, mib }) => costsOf('ring', hosts).most * mib,
    unit: 'MiB',
    worked: ({ hosts, mib }) =>
      `2 × (${hosts} − 1) messages of ${mib} / ${hosts} MiB: ${formatNumber(costsOf('ring', hosts).most * mib)} MiB.`,
  }),
  choiceCheck({
    id: 'total',
    text: 'Both algorithms move 2 (N − 1) vectors in all. Why is the ring faster for large vectors on a cluster?',
    options: [
      { id: 'links', text: 'All links carry data at the same time' },
      { id: 'fewer', text: 'It sends fewer messages' },
      { id: 'adds', text: 'It adds fewer elements' },
    ],
    answer: 'links',
    worked: 'In the ring every host sends in each step. In the tree’s first and last step, half do at most.',
  }),
];
