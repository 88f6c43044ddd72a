import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const WHICH_VERB_QUESTIONS = [
  numberCheck({
    id: 'server-requests',
    numbers: { readers: [10, 20, 50, 100], changes: [2, 5] },
    text: ({ readers, changes }) =>
      `A value changes ${changes} times per second. The server pushes each change to ${readers} readers by WRITE. How many requests per second does it post?`,
    answer: ({ readers, changes }) => readers * changes,
    unit: 'requests',
    tolerance: 0,
    worked: ({ readers, changes }) =>
      `${readers} × ${changes} = ${readers * changes}. If the readers READ instead, it posts none.`,
  }),
  choiceCheck({
    id: 'sleeping-target',
    text: 'A block must go to a known address and wake a sleeping target. Which verb does that with one request?',
    options: [
      { id: 'write', text: 'WRITE' },
      { id: 'imm', text: 'WRITE_WITH_IMM' },
      { id: 'read', text: 'READ' },
      { id: 'atomic', text: 'FETCH_ADD' },
    ],
    answer: 'imm',
    worked: 'A WRITE makes no completion there, so nothing wakes the target.',
  }),
];
