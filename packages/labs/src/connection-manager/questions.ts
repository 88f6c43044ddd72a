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
    worked:
      'rdma_accept sends the ConnectReply, which carries its private data. The client finds the data in its ESTABLISHED event.',
  }),
  choiceCheck({
    id: 'transitions',
    text: 'A program connects by rdma_cm. Which ibv_modify_qp must it call?',
    options: [
      { id: 'none', text: 'None' },
      { id: 'init', text: 'RESET to INIT only' },
      { id: 'all', text: 'All three up to RTS' },
    ],
    answer: 'none',
    worked:
      'rdma_create_qp moves the QP to INIT, and the connection manager moves it to RTR and RTS. A call by the program in between would interfere with it.',
  }),
];
