import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const COPIES_AND_CALLS_SELF_CHECKS = [
  numberCheck({
    id: 'copies',
    numbers: { gbps: [10, 25, 100], copies: [2, 4] },
    text: ({ gbps, copies }) =>
      `A stream of ${gbps} Gb/s is copied ${copies} times on its way. A core copies 10 GB/s. How many cores do the copies keep busy?`,
    answer: ({ gbps, copies }) => ((gbps / 8) * copies) / 10,
    unit: 'cores',
    worked: ({ gbps, copies }) =>
      `${gbps} Gb/s is ${gbps / 8} GB/s. × ${copies} copies / 10 GB/s = ${(((gbps / 8) * copies) / 10).toFixed(3)} cores.`,
  }),
  choiceCheck({
    id: 'bypass',
    text: 'Why does a WRITE on a hardware NIC need no system call?',
    options: [
      { id: 'mapped', text: 'Queues and doorbell are mapped into the program’s memory' },
      { id: 'fast', text: 'It does need one, but a fast one' },
      { id: 'thread', text: 'A thread in the kernel polls for requests' },
    ],
    answer: 'mapped',
    worked: 'After setup, the program writes a request to memory and rings the doorbell with a store.',
  }),
];
