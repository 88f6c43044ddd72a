import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const SRQ_QUESTIONS = [
  numberCheck({
    id: 'event',
    numbers: { recvs: [64, 128, 256], limit: [8, 16, 32] },
    text: ({ recvs, limit }) =>
      `An SRQ holds ${recvs} RECVs and has the limit ${limit}. The server posts no new ones. Which message, counted from 1, causes the event?`,
    answer: ({ recvs, limit }) => recvs - limit + 1,
    tolerance: 0,
    worked: ({ recvs, limit }) =>
      `After ${recvs - limit} messages ${limit} are left, and the next message leaves fewer.`,
  }),
  choiceCheck({
    id: 'who',
    text: 'A RECV of an SRQ completes. How does the server know which client sent the message?',
    options: [
      { id: 'wr-id', text: 'By wr_id' },
      { id: 'qp-num', text: 'By qp_num' },
      { id: 'buffer', text: 'By the buffer' },
    ],
    answer: 'qp-num',
    worked: 'The RECV was posted for any client, so wr_id and the buffer say nothing about the sender.',
  }),
];
