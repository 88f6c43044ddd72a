import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { formulaOf } from './crossover.js';

export const RENDEZVOUS_QUESTIONS = [
  numberCheck({
    id: 'crossover',
    numbers: { trip: [2, 4, 5, 20], rate: [8, 10, 16] },
    text: ({ trip, rate }) =>
      `RTS and CTS take ${trip} µs together, and one copy runs at ${rate} GB/s. From which size on is rendezvous faster?`,
    answer: ({ trip, rate }) => formulaOf(trip * 1000, 2 / rate, 1),
    unit: 'B',
    worked: ({ trip, rate }) =>
      `Two copies of n bytes take 2n / ${rate} ns, so n = ${trip * 1000} × ${rate} / 2 = ${(trip * 1000 * rate) / 2} B.`,
  }),
  choiceCheck({
    id: 'fin',
    text: 'In a rendezvous with READ, why does the receiver send a FIN?',
    options: [
      {
        id: 'free',
        text: 'To tell the sender that its buffer is free',
      },
      { id: 'flush', text: 'To complete the READ' },
      { id: 'key', text: 'To invalidate the rkey' },
    ],
    answer: 'free',
    worked: 'A READ completes at the side that posted it. The target’s program notices nothing.',
  }),
];
