import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const COPIES_AND_CALLS_SELF_CHECKS = [
  numberCheck({
    id: 'calls',
    numbers: { million: [1, 2, 5], ns: [200, 400, 500] },
    text: ({ million, ns }) =>
      `A server receives ${million} million messages per second with one recv() each. Entering and leaving the kernel takes ${ns} ns. What percentage of a core is that?`,
    answer: ({ million, ns }) => million * 1e6 * ns * 1e-9 * 100,
    unit: '%',
    worked: ({ million, ns }) =>
      `${million} million × ${ns} ns = ${(million * ns) / 1000} s per second, ${(million * ns) / 10} % of a core.`,
  }),
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
      {
        id: 'mapped',
        text: 'The NIC reads the queues in the program’s memory, and its doorbell is mapped there',
      },
      { id: 'fast', text: 'It does need one, but a fast one' },
      { id: 'thread', text: 'A thread in the kernel polls for requests' },
    ],
    answer: 'mapped',
    worked:
      'Setup goes through the kernel once. After that, the program writes a request to memory and rings the doorbell with a store.',
  }),
];
