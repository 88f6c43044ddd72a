import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const CONTRACT_QUESTIONS = [
  numberCheck({
    id: 'tries',
    numbers: { retries: { min: 1, max: 7 } },
    text: ({ retries }) =>
      `retry_cnt is ${retries}. How many times in a row may a packet be lost before its request fails?`,
    answer: ({ retries }) => retries,
    unit: 'losses',
    tolerance: 0,
    worked: ({ retries }) =>
      `${retries} losses leave the last try; with ${retries + 1} the request ends with status 12.`,
  }),
  choiceCheck({
    id: 'silent',
    text: 'Which of these mistakes gives no error status at either end?',
    options: [
      { id: 'reuse', text: 'Writing into the buffer before the completion' },
      { id: 'short', text: 'The RECV is too short' },
      { id: 'gone', text: 'The peer has left' },
      { id: 'deregister', text: 'Deregistering the buffer before the completion' },
    ],
    answer: 'reuse',
    worked: 'The device cannot know which bytes you meant.',
  }),
];
