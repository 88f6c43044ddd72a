import { numberCheck } from '../form/self-checks.js';
import { meanWithSpikes } from '../load/latency-summary.js';

export const AVERAGES_SELF_CHECKS = [
  numberCheck({
    id: 'mean',
    numbers: { us: [5, 10, 20], every: [100, 500, 1000], ms: [1, 5, 10] },
    text: ({ us, every, ms }) =>
      `A request takes ${us} µs, but one in ${every} takes ${ms} ms more. What is the mean, in µs?`,
    answer: ({ us, every, ms }) => meanWithSpikes(us, 1 / every, ms * 1000),
    unit: 'µs',
    worked: ({ us, every, ms }) =>
      `${us} + ${ms * 1000} / ${every} = ${meanWithSpikes(us, 1 / every, ms * 1000)} µs. No request takes that long.`,
  }),
  numberCheck({
    id: 'fan-out',
    numbers: { every: [100, 200, 1000], servers: [10, 50, 100] },
    text: ({ every, servers }) =>
      `One request in ${every} is slow. A page needs the answers of ${servers} requests. What percentage of the pages wait for a slow one?`,
    answer: ({ every, servers }) => 100 * (1 - (1 - 1 / every) ** servers),
    unit: '%',
    worked: ({ every, servers }) =>
      `All are fast with probability (1 − 1/${every})^${servers} = ${((1 - 1 / every) ** servers).toPrecision(4)}; the others wait.`,
  }),
];
