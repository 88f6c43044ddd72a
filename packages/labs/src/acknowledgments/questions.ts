import { PSN_MODULUS } from '@verbslab/roce';
import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const ACKNOWLEDGMENTS_SELF_CHECKS = [
  numberCheck({
    id: 'covered',
    numbers: { first: { min: 16_777_150, max: 16_777_210 }, count: { min: 70, max: 120 } },
    text: ({ first, count }) =>
      `Packets with PSN ${first} and later are unacknowledged. An ACK with PSN ${(first + count - 1) % PSN_MODULUS} comes. How many packets does it acknowledge?`,
    answer: ({ count }) => count,
    unit: 'packets',
    tolerance: 0,
    worked: ({ first, count }) =>
      `${PSN_MODULUS - first} packets before the wrap, and ${first + count - PSN_MODULUS} from PSN 0 on. Together ${count}.`,
  }),
  choiceCheck({
    id: 'cumulative',
    text: 'A requester waits for ACKs 10, 11 and 12. Only the ACK with PSN 12 comes. What does it do?',
    options: [
      { id: 'done', text: 'It completes all three' },
      { id: 'ask', text: 'It sends packets 10 and 11 again' },
      { id: 'wait', text: 'It waits for the other two' },
    ],
    answer: 'done',
    worked: 'RC acknowledges cumulatively. A lost ACK does no harm if a later one arrives in time.',
  }),
];
