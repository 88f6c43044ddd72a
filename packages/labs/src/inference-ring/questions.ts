import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const INFERENCE_RING_QUESTIONS = [
  numberCheck({
    id: 'rate',
    numbers: { fixed: [20, 40, 60], each: [1, 2, 4], batch: [8, 16, 32] },
    text: ({ fixed, each, batch }) =>
      `A batch costs ${fixed} µs and ${each} µs per request. How many thousand requests per second do batches of ${batch} reach, one batch at a time?`,
    answer: ({ fixed, each, batch }) => (batch / (fixed + batch * each)) * 1000,
    unit: 'thousand/s',
    worked: ({ fixed, each, batch }) =>
      `${fixed} + ${batch} × ${each} = ${fixed + batch * each} µs per batch. ${batch} / ${fixed + batch * each} µs = ${((batch / (fixed + batch * each)) * 1000).toFixed(1)} thousand/s.`,
  }),
  choiceCheck({
    id: 'credit',
    text: 'When may the client use a slot again?',
    options: [
      { id: 'completion', text: 'When its WRITE has completed' },
      { id: 'result', text: 'When the server says that it was read' },
      { id: 'notice', text: 'When the notification has completed' },
    ],
    answer: 'result',
    worked: 'Only the server knows when it no longer needs it. Here the results say so.',
  }),
];
