import { formatBytes } from '../base/format.js';
import { choiceCheck, numberCheck } from '../form/self-checks.js';

const packets = (size: number, mtu: number): number => Math.ceil(size / mtu);

export const MINIMAL_FLOW_SELF_CHECKS = [
  numberCheck({
    id: 'packets',
    numbers: { size: { min: 5000, max: 60_000, step: 1000 }, mtu: [1024, 2048, 4096] },
    text: ({ size, mtu }) =>
      `A WRITE carries ${formatBytes(size)}, and the path MTU is ${mtu} B. How many packets carry its data?`,
    answer: ({ size, mtu }) => packets(size, mtu),
    unit: 'packets',
    tolerance: 0,
    worked: ({ size, mtu }) =>
      `Each packet but the last carries ${mtu} B: ${formatBytes(size)} / ${mtu} B, rounded up, is ${packets(size, mtu)}.`,
  }),
  choiceCheck({
    id: 'who-learns',
    text: 'The client’s WRITE has completed. What does the server’s program know?',
    options: [
      { id: 'nothing', text: 'Nothing: it has to look at its memory, or be notified' },
      { id: 'completion', text: 'It finds a completion in its completion queue' },
      { id: 'event', text: 'It gets an event of the device' },
    ],
    answer: 'nothing',
    worked:
      'The device places the data without the program. A WRITE with immediate, or a SEND, tells the program that data has arrived.',
  }),
];
