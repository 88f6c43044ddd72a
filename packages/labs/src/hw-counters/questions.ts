import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const HW_COUNTERS_SELF_CHECKS = [
  numberCheck({
    id: 'ahead',
    numbers: { count: { min: 6, max: 20 }, lost: { min: 1, max: 5 } },
    text: ({ count, lost }) =>
      `${count} WRITEs of one packet leave in one burst. Number ${lost} is lost. By how much does out_of_sequence of the responder grow?`,
    answer: ({ count, lost }) => count - lost,
    tolerance: 0,
    worked: ({ count, lost }) =>
      `The ${count - lost} packets after the lost one arrive ahead of the expected PSN. Each counts.`,
  }),
  choiceCheck({
    id: 'who',
    text: 'packet_seq_err of the client grows. Where was a packet lost?',
    options: [
      { id: 'to-server', text: 'From client to server' },
      { id: 'to-client', text: 'From server to client' },
      { id: 'client', text: 'In the client’s receive buffer' },
    ],
    answer: 'to-server',
    worked: 'It counts sequence NAKs that arrived. The server sends one when a request is missing.',
  }),
];
