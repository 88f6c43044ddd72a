import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const SRQ_QUESTIONS = [
  numberCheck({
    id: 'saved',
    numbers: { clients: [100, 500, 1000], kib: [1, 4, 16], recvs: [32, 64, 128] },
    text: ({ clients, kib, recvs }) =>
      `${clients} clients each have a receive queue with ${recvs} buffers of ${kib} KiB. How much memory does a single shared pool of ${8 * recvs} such buffers save?`,
    answer: ({ clients, kib, recvs }) => ((clients - 8) * recvs * kib) / 1024,
    unit: 'MiB',
    worked: ({ clients, kib, recvs }) =>
      `${clients} × ${recvs} × ${kib} KiB − ${8 * recvs} × ${kib} KiB = ${(((clients - 8) * recvs * kib) / 1024).toFixed(1)} MiB.`,
  }),
  numberCheck({
    id: 'event',
    numbers: { recvs: [64, 128, 256], limit: [8, 16, 32] },
    text: ({ recvs, limit }) =>
      `An SRQ holds ${recvs} RECVs and has the limit ${limit}. The server posts no new ones. Which message, counted from 1, causes the event?`,
    answer: ({ recvs, limit }) => recvs - limit + 1,
    tolerance: 0,
    worked: ({ recvs, limit }) =>
      `The event comes when fewer than ${limit} are left. After ${recvs - limit} messages ${limit} are left, so message ${recvs - limit + 1} causes it.`,
  }),
  choiceCheck({
    id: 'who',
    text: 'A RECV of an SRQ completes. How does the server know which client sent the message?',
    options: [
      { id: 'wr-id', text: 'By wr_id, which it chose when it posted the RECV' },
      { id: 'qp-num', text: 'By qp_num in the completion' },
      { id: 'buffer', text: 'By the buffer, since each client has its own' },
    ],
    answer: 'qp-num',
    worked:
      'The RECV was posted for any client, so wr_id and the buffer say nothing about the sender. The completion names the QP that the message arrived on.',
  }),
];
