import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const CQ_OVERRUN_SELF_CHECKS = [
  numberCheck({
    id: 'size',
    numbers: { qps: [4, 8, 32], sends: [64, 128, 256], every: [1, 4, 16], recvs: [32, 128] },
    text: ({ qps, sends, every, recvs }) =>
      `${qps} QPs share one completion queue. Each has ${sends} sends in flight, signals ${every === 1 ? 'each of them' : `one in every ${every}`}, and keeps ${recvs} RECVs posted. How many entries make an overrun impossible?`,
    answer: ({ qps, sends, every, recvs }) => qps * (sends / every + recvs),
    unit: 'entries',
    tolerance: 0,
    worked: ({ qps, sends, every, recvs }) =>
      `${qps} × (${sends} / ${every} + ${recvs}) = ${qps * (sends / every + recvs)}. Errors complete unsignaled requests too: to survive them, count all sends.`,
  }),
  choiceCheck({
    id: 'repair',
    text: 'The program polls all completions after the overrun. Can it continue with this QP?',
    options: [
      { id: 'no', text: 'No. It needs a new connection' },
      { id: 'yes', text: 'Yes. The queue has room again' },
      { id: 'resize', text: 'Yes, after ibv_resize_cq' },
    ],
    answer: 'no',
    worked: 'The program no longer knows which requests are done.',
  }),
];
