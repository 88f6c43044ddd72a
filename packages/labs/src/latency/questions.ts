import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const LATENCY_SELF_CHECKS = [
  numberCheck({
    id: 'half',
    numbers: { us: [3.2, 4.6, 7.4, 11.8] },
    text: ({ us }) =>
      `ib_write_lat prints a typical latency of ${us} µs. How long does a whole round trip take?`,
    answer: ({ us }) => 2 * us,
    unit: 'µs',
    worked: ({ us }) => `It prints half of the round trip: 2 × ${us} µs = ${(2 * us).toFixed(1)} µs.`,
  }),
  choiceCheck({
    id: 'tail',
    text: 'A page waits for the answers of 100 servers. 1 % of all answers are slow. How many pages are fast?',
    options: [
      { id: 'most', text: '99 %' },
      { id: 'third', text: 'About 37 %' },
      { id: 'none', text: 'None' },
    ],
    answer: 'third',
    worked: 'All 100 answers must be fast: 0.99^100 = 0.366.',
  }),
];
