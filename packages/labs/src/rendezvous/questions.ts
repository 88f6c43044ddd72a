import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { formulaOf } from './crossover.js';

const KIB = 1024;

export const RENDEZVOUS_QUESTIONS = [
  numberCheck({
    id: 'crossover',
    numbers: { trip: [2, 4, 5, 20], rate: [8, 10, 16] },
    text: ({ trip, rate }) =>
      `RTS and CTS take ${trip} µs together. One copy runs at ${rate} GB/s, and eager copies at both ends. From which message size on is rendezvous faster?`,
    answer: ({ trip, rate }) => formulaOf(trip * 1000, 2 / rate, 1),
    unit: 'B',
    worked: ({ trip, rate }) =>
      `Two copies of n bytes take 2n / ${rate} ns. They take ${trip} µs at n = ${trip * 1000} × ${rate} / 2 = ${(trip * 1000 * rate) / 2} B.`,
  }),
  numberCheck({
    id: 'held',
    numbers: { peers: [256, 1024, 4096], depth: [16, 32], kib: [8, 16] },
    text: ({ peers, depth, kib }) =>
      `A process has ${peers} peers. Each may send ${depth} eager messages of up to ${kib} KiB ahead. How many MiB of RECV buffers does the process hold, without an SRQ?`,
    answer: ({ peers, depth, kib }) => (peers * depth * kib) / KIB,
    unit: 'MiB',
    tolerance: 0,
    worked: ({ peers, depth, kib }) =>
      `${peers} × ${depth} × ${kib} KiB = ${(peers * depth * kib) / KIB} MiB, before any message has come.`,
  }),
  choiceCheck({
    id: 'fin',
    text: 'In a rendezvous with READ, why does the receiver send a FIN?',
    options: [
      {
        id: 'free',
        text: 'The sender gets no completion for the READ, so it cannot know when to reuse its buffer',
      },
      { id: 'flush', text: 'The READ is not complete until the FIN arrives' },
      { id: 'key', text: 'The FIN makes the rkey invalid' },
    ],
    answer: 'free',
    worked:
      'A READ completes at the side that posted it. The target’s program notices nothing, so the receiver has to tell it.',
  }),
];
