import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { timeoutMs } from '../formulas/retry-timers.js';

export const ACK_TIMEOUT_SELF_CHECKS = [
  numberCheck({
    id: 'tail',
    numbers: { timeout: [8, 10, 12, 14, 16] },
    text: ({ timeout }) => `timeout is ${timeout}. How long does a lost last packet delay a message?`,
    answer: ({ timeout }) => timeoutMs(timeout),
    unit: 'ms',
    worked: ({ timeout }) =>
      `4.096 µs × 2^${timeout} = ${timeoutMs(timeout).toFixed(2)} ms. No packet follows that could show the gap.`,
  }),
  choiceCheck({
    id: 'queue',
    text: 'Nothing is lost, but packets wait long in a queue. What does an ACK timeout that is shorter than the wait do?',
    options: [
      { id: 'more', text: 'It sends the window again, which lengthens the queue' },
      { id: 'less', text: 'It empties the queue sooner' },
      { id: 'nothing', text: 'Nothing: the responder ignores duplicates' },
    ],
    answer: 'more',
    worked: 'The responder discards duplicates, but only after they have crossed the queue.',
  }),
];
