import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { timeoutNs } from '../loss/go-back-n.js';

/** A message of one packet, alone in flight, in µs. */
const aloneUs = (us: number, loss: number, timeout: number): number =>
  us + ((loss / (1 - loss)) * timeoutNs(timeout)) / 1000;

export const LOSS_COST_SELF_CHECKS = [
  numberCheck({
    id: 'alone',
    numbers: { us: [10, 20, 50], percent: [0.1, 1, 2, 5], timeout: [10, 12, 14] },
    text: ({ us, percent, timeout }) =>
      `A WRITE of one packet takes ${us} µs, alone in flight. ${percent} % of the packets are lost, and timeout is ${timeout}. How long does a WRITE take on average?`,
    answer: ({ us, percent, timeout }) => aloneUs(us, percent / 100, timeout),
    unit: 'µs',
    worked: ({ us, percent, timeout }) => {
      const p = percent / 100;
      const wait = timeoutNs(timeout) / 1000;
      return `Only the timeout finds the loss: 4.096 µs × 2^${timeout} = ${wait.toPrecision(5)} µs. There are p / (1 − p) = ${(p / (1 - p)).toPrecision(4)} losses per WRITE, so ${us} + ${(p / (1 - p)).toPrecision(4)} × ${wait.toPrecision(5)} = ${aloneUs(us, p, timeout).toPrecision(5)} µs.`;
    },
  }),
  choiceCheck({
    id: 'tail',
    text: 'Why does losing the last packet in flight cost most?',
    options: [
      {
        id: 'gap',
        text: 'No NAK comes, and the sender waits for its timeout',
      },
      { id: 'order', text: 'The responder must discard the whole message' },
      { id: 'size', text: 'The last packet carries more data' },
    ],
    answer: 'gap',
    worked: 'A NAK needs a packet that arrives ahead of the expected PSN.',
  }),
];
