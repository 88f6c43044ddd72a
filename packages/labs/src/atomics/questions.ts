import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const ATOMICS_QUESTIONS = [
  numberCheck({
    id: 'old-value',
    numbers: { before: { min: 10, max: 90 }, add: [1, 5, 10, 100] },
    text: ({ before, add }) =>
      `The counter is ${before}. Your FETCH_ADD adds ${add}, and no other client is active. Which number is in your buffer afterward?`,
    answer: ({ before }) => before,
    tolerance: 0,
    worked: ({ before, add }) =>
      `FETCH_ADD returns the value before the addition: ${before}. The server’s memory then holds ${before + add}.`,
  }),
  numberCheck({
    id: 'lost',
    numbers: { clients: [2, 3, 4, 5], rounds: [10, 20, 50] },
    text: ({ clients, rounds }) =>
      `${clients} clients count with READ and WRITE. In each of ${rounds} rounds, all of them read before the first one writes. How many increments are lost?`,
    answer: ({ clients, rounds }) => (clients - 1) * rounds,
    unit: 'increments',
    tolerance: 0,
    worked: ({ clients, rounds }) =>
      `Each round adds 1 instead of ${clients}, so ${clients - 1} are lost: ${clients - 1} × ${rounds} = ${(clients - 1) * rounds}.`,
  }),
  choiceCheck({
    id: 'local-add',
    text: 'A device reports atomic_cap “hca”. The server’s own program also adds to the counter, with an atomic instruction of its CPU. Is that safe?',
    options: [
      { id: 'yes', text: 'Yes: both are atomic' },
      { id: 'no', text: 'No: only the atomics of this device exclude each other' },
      { id: 'fence', text: 'Yes, with a memory fence' },
    ],
    answer: 'no',
    worked:
      'With IBV_ATOMIC_HCA, the CPU may change the value between the device’s read and its write. Only IBV_ATOMIC_GLOB includes the CPU. Let the server use an atomic over a loopback QP instead.',
  }),
];
