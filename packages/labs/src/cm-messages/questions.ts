import { choiceCheck, numberCheck } from '../form/self-checks.js';

const FIELD = { request: 92, addresses: 36 };

export const CM_MESSAGES_QUESTIONS = [
  numberCheck({
    id: 'room',
    numbers: { own: { min: 4, max: 40, step: 4 } },
    text: ({ own }) =>
      `The private data of a ConnectRequest has ${FIELD.request} B, of which rdma_cm uses ${FIELD.addresses} B for IP addresses and port. Your program passes ${own} B. How many zero bytes follow?`,
    answer: ({ own }) => FIELD.request - FIELD.addresses - own,
    unit: 'B',
    tolerance: 0,
    worked: ({ own }) =>
      `${FIELD.request} − ${FIELD.addresses} = ${FIELD.request - FIELD.addresses} B are left for the program, and ${FIELD.request - FIELD.addresses} − ${own} = ${FIELD.request - FIELD.addresses - own}.`,
  }),
  choiceCheck({
    id: 'psn',
    text: 'The ConnectReply says: starting PSN 285,540. Who sends a packet with this PSN first?',
    options: [
      { id: 'client', text: 'The client, to the server’s QP' },
      { id: 'server', text: 'The server, to the client’s QP' },
      { id: 'neither', text: 'Neither: the CM messages use it' },
    ],
    answer: 'client',
    worked: 'A side announces the PSN that it expects first.',
  }),
];
