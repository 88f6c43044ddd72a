import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { boundOf, LONGEST } from './policies.js';

export const CM_POOLING_QUESTIONS = [
  numberCheck({
    id: 'paid-back',
    numbers: { connect: { min: 1, max: 8 }, write: [5, 10, 20, 25], requests: [10, 50, 100] },
    text: ({ connect, write, requests }) =>
      `Connecting takes ${connect} ms, a WRITE ${write} µs. How many milliseconds do ${requests} requests over one kept connection save, compared with a connection for each? The kept connection is made once, too.`,
    answer: ({ connect, requests }) => (requests - 1) * connect,
    unit: 'ms',
    worked: ({ connect, requests }) =>
      `The WRITEs cost the same both ways. ${requests} − 1 connections are saved: ${requests - 1} × ${connect} ms = ${(requests - 1) * connect} ms.`,
  }),
  numberCheck({
    id: 'bound',
    numbers: { pause: [10, 20, 50], n: { min: 2, max: 6 } },
    text: ({ pause, n }) =>
      `The first pause is ${pause} ms, each next one twice as long, and none longer than ${LONGEST * pause} ms. How long is pause number ${n}, if the first one is number 1?`,
    answer: ({ pause, n }) => boundOf(pause, n - 1),
    unit: 'ms',
    tolerance: 0,
    worked: ({ pause, n }) =>
      `${pause} ms × 2^${n - 1} = ${pause * 2 ** (n - 1)} ms${2 ** (n - 1) > LONGEST ? `, cut to ${LONGEST * pause} ms` : ''}.`,
  }),
  choiceCheck({
    id: 'why-jitter',
    text: 'A thousand clients lose their server at the same moment. Why is exponential back-off alone not enough?',
    options: [
      { id: 'together', text: 'All of them pause equally long, so they come back together' },
      { id: 'slow', text: 'The pauses are too long' },
      { id: 'wrong', text: 'rdma_connect repeats its request anyway' },
    ],
    answer: 'together',
    worked: 'Back-off makes the waves of tries rarer, not smaller. Random pauses spread each wave.',
  }),
];
