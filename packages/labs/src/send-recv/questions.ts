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
      `Any RECV may get the longest message: ${recvs} × ${kib} KiB = ${recvs * kib} KiB. Short messages do not share a buffer.`,
  }),
  numberCheck({
    id: 'credits',
    numbers: { recvs: [2, 4, 8], sent: [1, 2] },
    text: ({ recvs, sent }) =>
      `The server posted ${recvs} RECVs and told the client. The client has sent ${sent}, and no credit came back. How many messages may it still send?`,
    answer: ({ recvs, sent }) => recvs - sent,
    unit: 'messages',
    tolerance: 0,
    worked: ({ recvs, sent }) =>
      `${recvs} − ${sent} = ${recvs - sent}. Without a credit, one more may find no RECV.`,
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
    worked:
      'By the specification, the server’s RECV completes with status 1 (LOC_LEN_ERR), the client’s SEND with status 9 (REM_INV_REQ_ERR). Both QPs go to ERR. The message is not truncated silently.',
  }),
];
