import { formatNumber } from '../base/format.js';
import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { costsOf, type Algorithm } from './schedule.js';

/** Time of an all-reduce, µs: `us` per step, and the bytes that go over links one after the other. */
const timeOf = (algorithm: Algorithm, hosts: number, bytes: number, us: number, gbps: number): number => {
  const { steps, serial } = costsOf(algorithm, hosts);
  return steps * us + (serial * bytes * 8) / (gbps * 1000);
};

export const RING_ALL_REDUCE_QUESTIONS = [
  numberCheck({
    id: 'bytes',
    numbers: { hosts: [4, 8, 16, 32], mib: [16, 64, 256] },
    text: ({ hosts, mib }) =>
      `${hosts} hosts do a ring all-reduce of vectors of ${mib} MiB. How many MiB does each host send?`,
    answer: ({ hosts, mib }) => costsOf('ring', hosts).most * mib,
    unit: 'MiB',
    worked: ({ hosts, mib }) =>
      `2 × (${hosts} − 1) messages of ${mib} / ${hosts} MiB: ${formatNumber(costsOf('ring', hosts).most * mib)} MiB.`,
  }),
  numberCheck({
    id: 'gain',
    numbers: { hosts: [8, 16, 32, 64], kib: [4, 64, 1024, 16_384], us: [2, 5], gbps: [25, 100] },
    text: ({ hosts, kib, us, gbps }) =>
      `${hosts} hosts, each with its own link of ${gbps} Gb/s, add up vectors of ${kib} KiB. A step costs ${us} µs, and on top of that the time that its bytes take on the link. By how many µs is the ring faster than the binary tree? Give a negative number if it is slower.`,
    answer: ({ hosts, kib, us, gbps }) =>
      timeOf('tree', hosts, kib * 1024, us, gbps) - timeOf('ring', hosts, kib * 1024, us, gbps),
    unit: 'µs',
    worked: ({ hosts, kib, us, gbps }) => {
      const [ring, tree] = (['ring', 'tree'] as const).map((one) => ({
        ...costsOf(one, hosts),
        time: timeOf(one, hosts, kib * 1024, us, gbps),
      }));
      return `Ring: ${ring!.steps} × ${us} µs + ${formatNumber(ring!.serial)} × ${kib} KiB × 8 / ${gbps} Gb/s = ${formatNumber(ring!.time)} µs. Tree: ${tree!.steps} × ${us} µs + ${tree!.serial} × ${kib} KiB × 8 / ${gbps} Gb/s = ${formatNumber(tree!.time)} µs. The difference is ${formatNumber(tree!.time - ring!.time)} µs.`;
    },
  }),
  choiceCheck({
    id: 'immediate',
    text: 'Why does each message carry an immediate?',
    options: [
      { id: 'tell', text: 'Its completion tells the receiver that the part is there' },
      { id: 'order', text: 'Without it the WRITEs would arrive in another order' },
      { id: 'sum', text: 'The immediate is the sum of the part, to check it' },
    ],
    answer: 'tell',
    worked:
      'A plain WRITE completes at its sender only. The receiver must not add before the data is there, and the immediate takes a RECV whose completion it waits for.',
  }),
  choiceCheck({
    id: 'total',
    text: 'Both algorithms move 2 (N − 1) vectors in all. Why is the ring faster for large vectors on a cluster?',
    options: [
      { id: 'links', text: 'All links carry data at the same time' },
      { id: 'fewer', text: 'It sends fewer messages' },
      { id: 'adds', text: 'It adds fewer elements' },
    ],
    answer: 'links',
    worked:
      'In each step of the ring every host sends and gets one part. In the first and in the last step of the tree half of the hosts send at most, and the others wait.',
  }),
];
