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
      `FETCH_ADD returns the value before the addition. The server’s memory then holds ${before + add}.`,
  }),
  choiceCheck({
    id: 'local-add',
    text: 'A device reports atomic_cap “hca”. The server’s program also adds to the counter, with an atomic CPU instruction. Is that safe?',
    options: [
      { id: 'yes', text: 'Yes: both are atomic' },
      { id: 'no', text: 'No: only the atomics of this device exclude each other' },
      { id: 'fence', text: 'Yes, with a memory fence' },
    ],
    answer: 'no',
    worked:
      'The CPU may change the value between the device’s read and its write. Only IBV_ATOMIC_GLOB includes the CPU.',
  }),
];
