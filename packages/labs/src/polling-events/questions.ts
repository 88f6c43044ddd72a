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
    worked:
      'A message can arrive between the empty poll and arming. It may raise no event, so the program must look once more after arming.',
  }),
  numberCheck({
    id: 'share',
    numbers: { budget: [20, 50, 100], rate: [1000, 2000, 4000] },
    text: ({ budget, rate }) =>
      `An adaptive program polls for ${budget} µs before it sleeps. It gets ${rate} messages per second, and sleeps before each. What share of a core does the polling take?`,
    answer: ({ budget, rate }) => (budget * rate) / 1e4,
    unit: '%',
    worked: ({ budget, rate }) =>
      `${rate} × ${budget} µs = ${(budget * rate) / 1000} ms per second, which is ${(budget * rate) / 1e4} % of a core.`,
  }),
  choiceCheck({
    id: 'acknowledge',
    text: 'ibv_destroy_cq does not return. What can cause this?',
    options: [
      { id: 'ack', text: 'The program took an event and never called ibv_ack_cq_events' },
      { id: 'arm', text: 'The CQ is still armed' },
      { id: 'full', text: 'The CQ still holds completions' },
    ],
    answer: 'ack',
    worked:
      'ibv_destroy_cq waits until every event that was taken is acknowledged. An armed CQ and one with completions can be destroyed.',
  }),
];
