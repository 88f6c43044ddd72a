import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const FEATURE_STORE_QUESTIONS = [
  numberCheck({
    id: 'packets',
    numbers: { kib: [4, 8, 16, 64], mtu: [1024, 2048, 4096] },
    text: ({ kib, mtu }) =>
      `One WRITE brings a row of ${kib} KiB at a path MTU of ${mtu} B. In how many packets does the row arrive?`,
    answer: ({ kib, mtu }) => (kib * 1024) / mtu,
    unit: 'packets',
    tolerance: 0,
    worked: ({ kib, mtu }) =>
      `${kib} × 1024 B / ${mtu} B = ${(kib * 1024) / mtu}. Between two packets a READ may be served.`,
  }),
  choiceCheck({
    id: 'order',
    text: 'A writer posts a row and then the watermark on one RC QP. A packet of the row is lost. Can the watermark overtake it?',
    options: [
      { id: 'no', text: 'No: the responder executes requests in order' },
      { id: 'yes', text: 'Yes' },
    ],
    answer: 'no',
    worked:
      'The responder executes no packet after the gap until the lost one has come. Two QPs have no such order.',
  }),
];
