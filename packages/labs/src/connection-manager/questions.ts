import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const CONNECTION_MANAGER_QUESTIONS = [
  numberCheck({
    id: 'paid-off',
    numbers: { setup: { min: 1, max: 9 }, write: [5, 10, 20] },
    text: ({ setup, write }) =>
      `Setup takes ${setup} ms, and a WRITE takes ${write} µs. How many WRITEs take as long as the setup?`,
    answer: ({ setup, write }) => (setup * 1000) / write,
    unit: 'WRITEs',
    worked: ({ setup, write }) => `${setup * 1000} µs / ${write} µs = ${(setup * 1000) / write}.`,
  }),
  choiceCheck({
    id: 'where',
    text: 'A server accepts with its address and rkey as private data. Which message carries them?',
    options: [
      { id: 'req', text: 'ConnectRequest' },
      { id: 'rep', text: 'ConnectReply' },
      { id: 'rtu', text: 'ReadyToUse' },
    ],
    answer: 'rep',
    worked: 'rdma_accept sends the ConnectReply. The client finds the data in its ESTABLISHED event.',
  }),
];
