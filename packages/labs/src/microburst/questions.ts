import { numberCheck } from '../form/self-checks.js';

export const MICROBURST_QUESTIONS = [
  numberCheck({
    id: 'queue',
    numbers: { hosts: [8, 16, 32, 64], kb: [16, 64, 100] },
    text: ({ hosts, kb }) =>
      `${hosts} hosts send ${kb} KB each to one at the same moment, all over links of the same rate. How long does the queue get?`,
    answer: ({ hosts, kb }) => (hosts - 1) * kb,
    unit: 'KB',
    worked: ({ hosts, kb }) =>
      `All arrives within the time of one answer, and one answer leaves meanwhile: (${hosts} − 1) × ${kb} = ${(hosts - 1) * kb} KB.`,
  }),
  numberCheck({
    id: 'average',
    numbers: { burst: [50, 80, 200], every: [1, 5, 10] },
    text: ({ burst, every }) =>
      `A link is busy for ${burst} µs in every ${every} ms, and idle otherwise. Which use does a counter show that is read every second?`,
    answer: ({ burst, every }) => burst / (10 * every),
    unit: '%',
    worked: ({ burst, every }) => `${burst} µs / ${every} ms = ${burst / (10 * every)} %.`,
  }),
];
