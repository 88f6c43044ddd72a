import { formatNumber } from '../base/format.js';
import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const EMBEDDING_CACHE_QUESTIONS = [
  numberCheck({
    id: 'mean',
    numbers: { percent: [50, 60, 75, 80, 90], us: [3, 5, 10, 20] },
    text: ({ percent, us }) =>
      `A hit takes 0.1 µs, a miss ${us} µs. ${percent} % of the lookups hit. How long does a lookup take on average?`,
    answer: ({ percent, us }) => (percent / 100) * 0.1 + (1 - percent / 100) * us,
    unit: 'µs',
    worked: ({ percent, us }) =>
      `${percent / 100} × 0.1 µs + ${formatNumber(1 - percent / 100)} × ${us} µs = ${formatNumber((percent / 100) * 0.1 + (1 - percent / 100) * us)} µs.`,
  }),
  choiceCheck({
    id: 'who-answers',
    text: 'The trainer’s WRITE_WITH_IMM to a reader has completed. What does the trainer know?',
    options: [
      { id: 'device', text: 'The reader’s device has the notification' },
      { id: 'dropped', text: 'The reader has dropped the row' },
      { id: 'polled', text: 'The reader has polled its CQ' },
    ],
    answer: 'device',
    worked: 'Its program may not have polled yet, so it may still use the old row.',
  }),
];
