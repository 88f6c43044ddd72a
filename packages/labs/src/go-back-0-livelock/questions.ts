import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { wasted } from './formula.js';

export const LIVELOCK_SELF_CHECKS = [
  numberCheck({
    id: 'limit',
    numbers: { every: [128, 256, 512, 1024], mtu: [1024, 4096] },
    text: ({ every, mtu }) =>
      `A link loses one packet in every ${every}. The path MTU is ${mtu} B, and ${wasted(mtu)} packets are wasted per loss. What is the largest message that go-back-0 can complete?`,
    answer: ({ every, mtu }) => ((every - wasted(mtu)) * mtu) / 1024,
    unit: 'KiB',
    worked: ({ every, mtu }) =>
      `${every} − ${wasted(mtu)} = ${every - wasted(mtu)} packets get through in a row, and ${every - wasted(mtu)} × ${mtu} B = ${((every - wasted(mtu)) * mtu) / 1024} KiB.`,
  }),
  choiceCheck({
    id: 'retries',
    text: 'retry_cnt is 7. Why does the QP not give up?',
    options: [
      { id: 'progress', text: 'Each retry gets packets acknowledged, which resets the count' },
      { id: 'forever', text: 'retry_cnt 7 means forever' },
      { id: 'nak', text: 'A NAK is no error' },
    ],
    answer: 'progress',
    worked:
      'The count is of retries in a row without progress. Here every retry gets further than the first packet.',
  }),
];
