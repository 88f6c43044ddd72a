import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const REMOTE_EXECUTION_QUESTIONS = [
  numberCheck({
    id: 'break-even',
    numbers: { fixed: [100, 200, 400, 800], gigabytes: [1, 2, 4, 10] },
    text: ({ fixed, gigabytes }) =>
      `Verifying and compiling takes ${fixed} µs. READ moves ${gigabytes} GB/s. All else is equal. From how many kB on does shipping the function pay?`,
    answer: ({ fixed, gigabytes }) => fixed * gigabytes,
    unit: 'kB',
    worked: ({ fixed, gigabytes }) =>
      `In ${fixed} µs READ moves ${fixed} × 10^-6 s × ${gigabytes} × 10^9 B/s = ${fixed * gigabytes} kB.`,
  }),
  choiceCheck({
    id: 'signature',
    text: 'The signature of a function is right. What does the server know?',
    options: [
      { id: 'sender', text: 'Who signed it, and that nothing changed' },
      { id: 'harmless', text: 'That it does no harm' },
      { id: 'terminates', text: 'That it ends in time' },
    ],
    answer: 'sender',
    worked: 'A signed function can still loop or trap.',
  }),
  choiceCheck({
    id: 'copy',
    text: 'Why does the server copy a function, then verify it?',
    options: [
      { id: 'change', text: 'The client can change it after the check' },
      { id: 'align', text: 'For its alignment' },
      { id: 'free', text: 'For the next packet' },
    ],
    answer: 'change',
    worked: 'The client holds an rkey with REMOTE_WRITE.',
  }),
];
