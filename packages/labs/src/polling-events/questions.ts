import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const POLLING_EVENTS_QUESTIONS = [
  choiceCheck({
    id: 'order',
    text: 'The CQ was empty when a program polled it. In which order must the program continue?',
    options: [
      { id: 'arm-sleep', text: 'Arm, sleep, poll' },
      { id: 'arm-poll', text: 'Arm, poll, sleep if the CQ is still empty' },
      { id: 'poll-arm', text: 'Poll, arm, sleep' },
    ],
    answer: 'arm-poll',
    worked: 'A message can arrive between the empty poll and arming, and may raise no event.',
  }),
  numberCheck({
    id: 'share',
    numbers: { budget: [20, 50, 100], rate: [1000, 2000, 4000] },
    text: ({ budget, rate }) =>
      `A program polls for ${budget} µs, then sleeps, before each of ${rate} messages per second. What share of a core does polling take?`,
    answer: ({ budget, rate }) => (budget * rate) / 1e4,
    unit: '%',
    worked: ({ budget, rate }) =>
      `${rate} × ${budget} µs = ${(budget * rate) / 1000} ms per second, which is ${(budget * rate) / 1e4} % of a core.`,
  }),
];
