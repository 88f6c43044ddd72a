import { choiceCheck, numberCheck } from '../form/self-checks.js';

const regainMs = (gbps: number, step: number, period: number): number =>
  ((gbps * 1000) / step) * (period / 1000);

export const DCQCN_FAIRNESS_QUESTIONS = [
  numberCheck({
    id: 'regain',
    numbers: { gbps: [20, 40, 50], step: [5, 20, 40], period: [55, 300] },
    text: ({ gbps, step, period }) =>
      `A sender raises its rate by ${step} Mb/s every ${period} µs. How long does it need to regain ${gbps} Gb/s?`,
    answer: ({ gbps, step, period }) => regainMs(gbps, step, period),
    unit: 'ms',
    worked: ({ gbps, step, period }) =>
      `${gbps} Gb/s are ${(gbps * 1000) / step} steps of ${step} Mb/s: ${(gbps * 1000) / step} × ${period} µs = ${regainMs(gbps, step, period)} ms.`,
  }),
  numberCheck({
    id: 'jain',
    numbers: { more: [60, 70, 80, 90] },
    text: ({ more }) =>
      `One flow has ${more} Gb/s and another ${100 - more} Gb/s. What is Jain’s index of their rates?`,
    answer: ({ more }) => 10_000 / (2 * (more ** 2 + (100 - more) ** 2)),
    worked: ({ more }) =>
      `(${more} + ${100 - more})² / (2 × (${more}² + ${100 - more}²)) = ${(10_000 / (2 * (more ** 2 + (100 - more) ** 2))).toPrecision(3)}.`,
  }),
  choiceCheck({
    id: 'cut',
    text: 'What does the first CNP do to a sender at line rate, with alpha = 1?',
    options: [
      { id: 'half', text: 'It halves the rate' },
      { id: 'stop', text: 'It stops the sender until the queue is empty' },
      { id: 'step', text: 'It takes one additive step off the rate' },
    ],
    answer: 'half',
    worked: 'The rate becomes rate × (1 − alpha / 2).',
  }),
];
