import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const SEND_RECV_QUESTIONS = [
  numberCheck({
    id: 'memory',
    numbers: { recvs: [16, 32, 64, 128], kib: [4, 8, 64] },
    text: ({ recvs, kib }) =>
      `Messages have up to ${kib} KiB, most of them 100 B. The server keeps ${recvs} RECVs posted on one QP. How much memory do their buffers need?`,
    answer: ({ recvs, kib }) => recvs * kib,
    unit: 'KiB',
    tolerance: 0,
    worked: ({ recvs, kib }) =>
      `Any RECV may get the longest message: ${recvs} × ${kib} KiB = ${recvs * kib} KiB.`,
  }),
  choiceCheck({
    id: 'who-knows',
    text: 'A SEND over RC is longer than its RECV. Which side gets an error?',
    options: [
      { id: 'client', text: 'Only the client' },
      { id: 'server', text: 'Only the server' },
      { id: 'both', text: 'Both, and the connection ends' },
    ],
    answer: 'both',
    worked: 'By the specification, the server gets status 1 (LOC_LEN_ERR), the client 9 (REM_INV_REQ_ERR).',
  }),
];
