import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const GIGABYTE_SELF_CHECKS = [
  numberCheck({
    id: 'cores',
    numbers: { gbps: [25, 100, 200, 400], seconds: [0.2, 0.4, 0.5] },
    text: ({ gbps, seconds }) =>
      `Moving 1 GB (10^9 bytes) takes ${seconds} CPU seconds. How many cores does a stream of ${gbps} Gb/s keep busy?`,
    answer: ({ gbps, seconds }) => (gbps / 8) * seconds,
    unit: 'cores',
    worked: ({ gbps, seconds }) =>
      `${gbps} Gb/s is ${gbps / 8} GB/s, and ${gbps / 8} GB/s × ${seconds} s/GB = ${((gbps / 8) * seconds).toFixed(2)} cores.`,
  }),
  numberCheck({
    id: 'calls',
    numbers: { kib: [4, 16, 64, 256] },
    text: ({ kib }) =>
      `A program sends 1 GB (10^9 bytes) with one send() per ${kib} KiB. How many send() calls does it make?`,
    answer: ({ kib }) => Math.ceil(1e9 / (kib * 1024)),
    unit: 'calls',
    tolerance: 0.01,
    worked: ({ kib }) =>
      `10^9 / ${kib * 1024} = ${(1e9 / (kib * 1024)).toFixed(1)}, so ${Math.ceil(1e9 / (kib * 1024))}.`,
  }),
  choiceCheck({
    id: 'nic',
    text: 'With a hardware NIC, who does what this lab shows as NIC work?',
    options: [
      { id: 'silicon', text: 'The NIC, and the CPU is free for other work' },
      { id: 'kernel', text: 'The kernel' },
      { id: 'same', text: 'Still the CPU' },
    ],
    answer: 'silicon',
    worked:
      'NIC work is splitting messages into packets, checksums, ACKs and placing data. A NIC has hardware for it. Application time remains, and kernel time other than the device’s own socket calls.',
  }),
];
