import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const QP_STATES_QUESTIONS = [
  numberCheck({
    id: 'timeout',
    numbers: { code: [8, 10, 12, 14, 18] },
    text: ({ code }) => `A QP has timeout ${code}. How long does it wait at least for an ACK?`,
    answer: ({ code }) => (4.096 * 2 ** code) / 1000,
    unit: 'ms',
    worked: ({ code }) =>
      `4.096 µs × 2^${code} = ${(4.096 * 2 ** code).toFixed(0)} µs, which is ${((4.096 * 2 ** code) / 1000).toFixed(2)} ms.`,
  }),
  choiceCheck({
    id: 'recv-when',
    text: 'In which state may a program post the first RECV?',
    options: [
      { id: 'reset', text: 'RESET' },
      { id: 'init', text: 'INIT' },
      { id: 'rtr', text: 'RTR' },
      { id: 'rts', text: 'RTS' },
    ],
    answer: 'init',
    worked: 'In RTR the first SEND may arrive at once, and without a RECV it gets an RNR NAK.',
  }),
];
