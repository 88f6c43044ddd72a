import { formatNumber } from '../base/format.js';
import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { bestHitRate, popularity } from './zipf.js';

export const EMBEDDING_CACHE_QUESTIONS = [
  numberCheck({
    id: 'mean',
    numbers: { percent: [50, 60, 75, 80, 90], us: [3, 5, 10, 20] },
    text: ({ percent, us }) =>
      `A hit takes 0.1 µs, and a miss takes ${us} µs in all. ${percent} % of the lookups hit. How long does a lookup take on average, in µs?`,
    answer: ({ percent, us }) => (percent / 100) * 0.1 + (1 - percent / 100) * us,
    unit: 'µs',
    worked: ({ percent, us }) =>
      `${percent / 100} × 0.1 µs + ${formatNumber(1 - percent / 100)} × ${us} µs = ${formatNumber((percent / 100) * 0.1 + (1 - percent / 100) * us)} µs.`,
  }),
  numberCheck({
    id: 'zipf',
    numbers: { rows: [4, 5, 6], slots: [1, 2] },
    text: ({ rows, slots }) =>
      `Ids of rank 1 to ${rows} are drawn in proportion to 1 / rank. A cache always holds the ${slots === 1 ? 'most popular row' : `${slots} most popular rows`}. Which share of the lookups hits, in percent?`,
    answer: ({ rows, slots }) => 100 * bestHitRate(popularity(rows, 1), slots),
    unit: '%',
    worked: ({ rows, slots }) => {
      const sum = (n: number): string =>
        Array.from({ length: n }, (_, i) => (i === 0 ? '1' : `1/${i + 1}`)).join(' + ');
      return `(${sum(slots)}) / (${sum(rows)}) = ${formatNumber(100 * bestHitRate(popularity(rows, 1), slots))} %.`;
    },
  }),
  choiceCheck({
    id: 'who-answers',
    text: 'The trainer’s WRITE_WITH_IMM to a reader has completed with SUCCESS. What does the trainer know?',
    options: [
      { id: 'device', text: 'The reader’s device has the notification' },
      { id: 'dropped', text: 'The reader has dropped the row' },
      { id: 'polled', text: 'The reader has polled its CQ' },
    ],
    answer: 'device',
    worked:
      'The reader’s device acknowledged the packet. Its program may not have polled yet, so it may still use the old row. Only an answer of the program tells the trainer more.',
  }),
];
