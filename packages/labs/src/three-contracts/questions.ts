import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const CONTRACT_QUESTIONS = [
  numberCheck({
    id: 'buffers',
    numbers: { rate: [1, 2, 5], delay: [4, 10, 20] },
    text: ({ rate, delay }) =>
      `A program sends ${rate} million messages per second. A completion comes ${delay} µs after its post. How many buffers does the program need at least, so that it never has to wait for one?`,
    answer: ({ rate, delay }) => rate * delay,
    unit: 'buffers',
    tolerance: 0,
    worked: ({ rate, delay }) =>
      `A buffer is taken for ${delay} µs. In that time the program sends ${rate} × ${delay} = ${rate * delay} messages.`,
  }),
  numberCheck({
    id: 'recvs',
    numbers: { peers: [4, 16, 64], underWay: [8, 16, 32] },
    text: ({ peers, underWay }) =>
      `${peers} clients, each with its own QP, may have ${underWay} SENDs under way each. How many RECVs must a server have posted, so that no SEND finds none?`,
    answer: ({ peers, underWay }) => peers * underWay,
    unit: 'RECVs',
    tolerance: 0,
    worked: ({ peers, underWay }) =>
      `${peers} × ${underWay} = ${peers * underWay}. The server posts a new RECV for each one that a message took.`,
  }),
  numberCheck({
    id: 'tries',
    numbers: { retries: { min: 1, max: 7 } },
    text: ({ retries }) =>
      `retry_cnt is ${retries}. How many times in a row may the same packet be lost before its request fails?`,
    answer: ({ retries }) => retries,
    unit: 'losses',
    tolerance: 0,
    worked: ({ retries }) =>
      `The first try and ${retries} more may be sent. ${retries} losses leave the last try; with ${retries + 1} the request ends with status 12.`,
  }),
  choiceCheck({
    id: 'silent',
    text: 'Which of these mistakes gives no error status at either end?',
    options: [
      { id: 'reuse', text: 'The sender writes into the buffer before the completion' },
      { id: 'short', text: 'The RECV is too short' },
      { id: 'gone', text: 'The peer has left' },
      { id: 'deregister', text: 'The sender deregisters the buffer before the completion' },
    ],
    answer: 'reuse',
    worked:
      'The device sends whatever the memory holds when it makes the packet. It cannot know which bytes you meant.',
  }),
];
