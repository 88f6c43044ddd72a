import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const FEATURE_STORE_QUESTIONS = [
  numberCheck({
    id: 'torn',
    numbers: { groups: [3, 4, 6, 8], epochs: [5, 10, 20] },
    text: ({ groups, epochs }) =>
      `A writer publishes ${epochs} epochs. For each one it writes the watermark first and then a row in ${groups} WRITEs. A reader looks after every WRITE and takes the row that the watermark names. At how many looks is that row torn: partly there, but not complete?`,
    answer: ({ groups, epochs }) => epochs * (groups - 1),
    tolerance: 0,
    worked: ({ groups, epochs }) =>
      `After the watermark the row is not there at all, after the last WRITE it is complete. It is torn after the ${groups - 1} WRITEs in between: ${epochs} × ${groups - 1} = ${epochs * (groups - 1)}.`,
  }),
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
    text: 'A writer posts a WRITE of a row and then a WRITE of the watermark on the same RC QP, without waiting in between. A packet of the row is lost. Can the watermark be written before the row is complete?',
    options: [
      { id: 'no', text: 'No: the responder executes requests in the order of their PSNs' },
      { id: 'yes', text: 'Yes: the watermark is one packet and overtakes the row' },
    ],
    answer: 'no',
    worked:
      'The responder executes no packet after the gap until the lost one has come, for which it asks with a NAK. On two QPs there is no such order: there the writer must wait for the completion of the row.',
  }),
];
