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
      `A WRITE of one packet takes ${us} µs. One is in flight at a time, ${percent} % of the packets are lost, and timeout is ${timeout}. How long does a WRITE take on average?`,
    answer: ({ us, percent, timeout }) => aloneUs(us, percent / 100, timeout),
    unit: 'µs',
    worked: ({ us, percent, timeout }) => {
      const p = percent / 100;
      const wait = timeoutNs(timeout) / 1000;
      return `No packet follows the lost one, so only the timeout finds the loss: 4.096 µs × 2^${timeout} = ${wait.toPrecision(5)} µs. There are p / (1 − p) = ${(p / (1 - p)).toPrecision(4)} losses per WRITE, so ${us} + ${(p / (1 - p)).toPrecision(4)} × ${wait.toPrecision(5)} = ${aloneUs(us, p, timeout).toPrecision(5)} µs.`;
    },
  }),
  numberCheck({
    id: 'message',
    numbers: { kib: [16, 32, 64, 128], mtu: [1024, 2048, 4096], percent: [0.1, 0.5, 1] },
    text: ({ kib, mtu, percent }) =>
      `A message of ${kib} KiB crosses a network at a path MTU of ${mtu} B. ${percent} % of the packets are lost. What percentage of the messages lose at least one packet?`,
    answer: ({ kib, mtu, percent }) => 100 * (1 - (1 - percent / 100) ** ((kib * 1024) / mtu)),
    unit: '%',
    worked: ({ kib, mtu, percent }) => {
      const n = (kib * 1024) / mtu;
      return `The message has ${n} packets. All arrive with probability (1 − ${percent / 100})^${n} = ${((1 - percent / 100) ** n).toPrecision(4)}.`;
    },
  }),
  choiceCheck({
    id: 'tail',
    text: 'Why does the loss of the last packet in flight cost more than the loss of any other?',
    options: [
      {
        id: 'gap',
        text: 'No later packet shows the gap, so no NAK comes, and the sender waits for its timeout',
      },
      { id: 'order', text: 'The responder must discard the whole message' },
      { id: 'size', text: 'The last packet carries more data' },
    ],
    answer: 'gap',
    worked:
      'A responder sends a NAK when a packet arrives ahead of the expected PSN. Behind the last packet nothing arrives.',
  }),
];
