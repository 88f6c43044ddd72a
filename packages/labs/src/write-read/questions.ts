import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { packetsOf } from '../wire/segments.js';

export const WRITE_READ_QUESTIONS = [
  numberCheck({
    id: 'responses',
    numbers: { size: [1000, 1025, 4096, 5000, 8192, 10_000], mtu: [256, 1024, 2048] },
    text: ({ size, mtu }) =>
      `A READ of ${size} B runs at a path MTU of ${mtu} B. How many packets carry its data?`,
    answer: ({ size, mtu }) => packetsOf(size, mtu),
    tolerance: 0,
    worked: ({ size, mtu }) =>
      `${size} B / ${mtu} B, rounded up, is ${packetsOf(size, mtu)}: ${packetsOf(size, mtu) === 1 ? 'one Only' : packetsOf(size, mtu) === 2 ? 'First and Last' : `First, ${packetsOf(size, mtu) - 2} × Middle, Last`}.`,
  }),
  choiceCheck({
    id: 'reuse',
    text: 'When may the program change the source buffer of an unsignaled WRITE?',
    options: [
      { id: 'posted', text: 'When ibv_post_send returns' },
      { id: 'later', text: 'When a later request of the QP completed' },
      { id: 'never', text: 'Never' },
    ],
    answer: 'later',
    worked:
      'Requests of one send queue complete in order. When ibv_post_send returns, the device may still read the buffer.',
  }),
];
