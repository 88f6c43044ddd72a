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
  choiceCheck({
    id: 'nic',
    text: 'With a hardware NIC, who does what this lab shows as NIC work?',
    options: [
      { id: 'silicon', text: 'The NIC' },
      { id: 'kernel', text: 'The kernel' },
      { id: 'same', text: 'Still the CPU' },
    ],
    answer: 'silicon',
    worked:
      'A NIC has hardware for it. Application time remains, and kernel time other than the device’s own socket calls.',
  }),
];
