import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const NOTIFY_TARGET_QUESTIONS = [
  choiceCheck({
    id: 'cqe-needs-ack',
    text: 'On a reliable connection, when does the client get the completion of its WRITE?',
    options: [
      { id: 'sent', text: 'When its device has sent the last packet' },
      { id: 'ack', text: 'When the server’s device has acknowledged the last packet' },
      { id: 'read', text: 'When the server’s program has read the data' },
    ],
    answer: 'ack',
    worked: 'Until then the device may have to retransmit. The server’s program is not involved.',
  }),
  numberCheck({
    id: 'recvs',
    numbers: { clients: [4, 8, 16], outstanding: [8, 16, 32] },
    text: ({ clients, outstanding }) =>
      `${clients} clients keep up to ${outstanding} WRITE_WITH_IMM each in flight. How many RECVs must the server keep posted in total?`,
    answer: ({ clients, outstanding }) => clients * outstanding,
    unit: 'RECVs',
    tolerance: 0,
    worked: ({ clients, outstanding }) =>
      `Each takes one RECV: ${clients} × ${outstanding} = ${clients * outstanding}.`,
  }),
];
