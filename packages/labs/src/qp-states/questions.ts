import { RNR_TIMER_US } from '@verbslab/roce';
import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const QP_STATES_QUESTIONS = [
  numberCheck({
    id: 'timeout',
    numbers: { code: [8, 10, 12, 14, 18] },
    text: ({ code }) =>
      `A QP has timeout ${code}. How long does it wait at least for an ACK before it retransmits?`,
    answer: ({ code }) => (4.096 * 2 ** code) / 1000,
    unit: 'ms',
    worked: ({ code }) =>
      `4.096 µs × 2^${code} = ${(4.096 * 2 ** code).toFixed(0)} µs, which is ${((4.096 * 2 ** code) / 1000).toFixed(2)} ms. The specification lets a device wait up to four times as long.`,
  }),
  numberCheck({
    id: 'rnr',
    numbers: { code: [0, 1, 12, 14, 31] },
    text: ({ code }) =>
      `A responder has min_rnr_timer ${code}, and no RECV. By the codes in the text, how long does it make the requester wait?`,
    answer: ({ code }) => RNR_TIMER_US[code]! / 1000,
    unit: 'ms',
    worked: ({ code }) =>
      `The codes are a table, not a formula. Code 1 is 0.01 ms, the times grow up to code 31, and code 0 comes after it with 655.36 ms. Code ${code} is ${RNR_TIMER_US[code]! / 1000} ms.`,
  }),
  choiceCheck({
    id: 'recv-when',
    text: 'In which state may a program post the first RECV?',
    options: [
      { id: 'reset', text: 'RESET: the queue exists' },
      { id: 'init', text: 'INIT, before any packet can arrive' },
      { id: 'rtr', text: 'RTR: the QP can receive' },
      { id: 'rts', text: 'RTS, like every work request' },
    ],
    answer: 'init',
    worked:
      'In INIT. In RTR the first SEND may arrive at once, and without a RECV it is refused with an RNR NAK.',
  }),
];
