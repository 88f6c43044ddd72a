import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const NOTIFY_TARGET_QUESTIONS = [
  choiceCheck({
    id: 'no-cpu',
    text: 'A server must sleep until data arrives. Which of these can wake it?',
    options: [
      { id: 'write', text: 'A WRITE into its memory' },
      { id: 'counter', text: 'A FETCH_ADD on a counter in its memory' },
      { id: 'imm', text: 'A WRITE_WITH_IMM' },
    ],
    answer: 'imm',
    worked:
      'Only a completion raises an event on a completion channel. WRITEs and atomics produce none at the server. WRITE_WITH_IMM and SEND each take a RECV and complete it.',
  }),
  choiceCheck({
    id: 'cqe-needs-ack',
    text: 'On a reliable connection, when does the client get the completion of its WRITE?',
    options: [
      { id: 'sent', text: 'When its device has sent the last packet' },
      { id: 'ack', text: 'When the server’s device has acknowledged the last packet' },
      { id: 'read', text: 'When the server’s program has read the data' },
    ],
    answer: 'ack',
    worked:
      'The device keeps the request until the ACK arrives, because it may have to retransmit. The server’s program is not involved.',
  }),
  numberCheck({
    id: 'recvs',
    numbers: { clients: [4, 8, 16], outstanding: [8, 16, 32] },
    text: ({ clients, outstanding }) =>
      `${clients} clients keep up to ${outstanding} WRITE_WITH_IMM each in flight, and the server does not reply. How many RECVs must it keep posted in total?`,
    answer: ({ clients, outstanding }) => clients * outstanding,
    unit: 'RECVs',
    tolerance: 0,
    worked: ({ clients, outstanding }) =>
      `Each notification takes one RECV: ${clients} × ${outstanding} = ${clients * outstanding}. With fewer, the server’s device may answer with RNR NAKs.`,
  }),
];
