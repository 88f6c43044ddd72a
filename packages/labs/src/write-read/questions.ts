import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { signaledIds } from './batch.js';
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
      `${size} B / ${mtu} B, rounded up, is ${packetsOf(size, mtu)}: ${packetsOf(size, mtu) === 1 ? 'one Only' : packetsOf(size, mtu) === 2 ? 'First and Last' : `First, ${packetsOf(size, mtu) - 2} × Middle, Last`}. The request is one more packet, in the other direction.`,
  }),
  numberCheck({
    id: 'completions',
    numbers: { writes: [20, 32, 50, 64], every: [4, 8, 16] },
    text: ({ writes, every }) =>
      `A program posts ${writes} WRITEs. Every ${every}th one is signaled, and so is the last. How many completions does it get?`,
    answer: ({ writes, every }) => signaledIds(writes, every).length,
    tolerance: 0,
    worked: ({ writes, every }) =>
      `${writes} / ${every}, rounded up, is ${signaledIds(writes, every).length}. If ${writes} is not a multiple of ${every}, the last WRITE adds one.`,
  }),
  choiceCheck({
    id: 'reuse',
    text: 'When may the program change the source buffer of an unsignaled WRITE?',
    options: [
      { id: 'posted', text: 'When ibv_post_send returns' },
      { id: 'later', text: 'When a later signaled request of the same QP has completed' },
      { id: 'never', text: 'Never: without a completion it cannot know' },
    ],
    answer: 'later',
    worked:
      'Requests of one send queue complete in order. So the completion of a later one means that all earlier ones are done. When ibv_post_send returns, the device may still read the buffer.',
  }),
];
