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
      `Each QP can have ${sends} / ${every} = ${sends / every} signaled sends and ${recvs} RECVs complete: ${sends / every + recvs}. With ${qps} QPs that is ${qps * (sends / every + recvs)}. Errors complete unsignaled requests too, so programs that must survive errors count all sends.`,
  }),
  numberCheck({
    id: 'time',
    numbers: { entries: [256, 1024, 4096], mega: [1, 2, 4] },
    text: ({ entries, mega }) =>
      `A completion queue of ${entries} entries gets ${mega} million completions per second. After how many µs without a poll does it overrun?`,
    answer: ({ entries, mega }) => entries / mega,
    unit: 'µs',
    worked: ({ entries, mega }) => `${entries} / (${mega} per µs) = ${entries / mega} µs.`,
  }),
  choiceCheck({
    id: 'repair',
    text: 'The program polls all completions after the overrun. Can it continue with this QP?',
    options: [
      { id: 'no', text: 'No. It needs a new connection, and a larger CQ for its QP' },
      { id: 'yes', text: 'Yes. The queue has room again' },
      { id: 'resize', text: 'Yes, after ibv_resize_cq' },
    ],
    answer: 'no',
    worked:
      'A completion is lost, so the program no longer knows which requests are done. The QP is in ERR, and the CQ need not take completions any more.',
  }),
];
