import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const PARAMETER_SERVER_QUESTIONS = [
  numberCheck({
    id: 'staleness',
    numbers: { workers: [4, 8, 16, 32] },
    text: ({ workers }) =>
      `${workers} workers push in turns, each push updates the model, and a worker pulls right after its own update. How stale is a gradient?`,
    answer: ({ workers }) => workers - 1,
    unit: 'versions',
    tolerance: 0,
    worked: ({ workers }) =>
      `Between two turns of a worker, each of the ${workers - 1} others makes one update.`,
  }),
  choiceCheck({
    id: 'reuse',
    text: 'A worker’s push has completed. When may it write the next push to the same place?',
    options: [
      { id: 'now', text: 'At once' },
      { id: 'taken', text: 'After reading that the server took the push' },
      { id: 'flushed', text: 'After any READ from the server' },
    ],
    answer: 'taken',
    worked: 'The completion says only that the server’s device has acknowledged the push.',
  }),
];
