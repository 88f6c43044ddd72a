import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const CM_POOLING_QUESTIONS = [
  numberCheck({
    id: 'paid-back',
    numbers: { connect: { min: 1, max: 8 }, write: [5, 10, 20, 25], requests: [10, 50, 100] },
    text: ({ connect, write, requests }) =>
      `Connecting takes ${connect} ms, a WRITE ${write} µs. How many ms do ${requests} requests over one kept connection save, compared with a connection each?`,
    answer: ({ connect, requests }) => (requests - 1) * connect,
    unit: 'ms',
    worked: ({ connect, requests }) =>
      `${requests} − 1 connections are saved: ${requests - 1} × ${connect} ms = ${(requests - 1) * connect} ms.`,
  }),
  choiceCheck({
    id: 'why-jitter',
    text: 'A thousand clients lose their server at once. Why is exponential back-off alone not enough?',
    options: [
      { id: 'together', text: 'All of them pause equally long' },
      { id: 'slow', text: 'The pauses are too long' },
      { id: 'wrong', text: 'rdma_connect repeats its request anyway' },
    ],
    answer: 'together',
    worked: 'Back-off makes the waves of tries rarer, not smaller. Random pauses spread each wave.',
  }),
];
