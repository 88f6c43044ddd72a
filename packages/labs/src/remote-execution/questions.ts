import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const REMOTE_EXECUTION_QUESTIONS = [
  numberCheck({
    id: 'break-even',
    numbers: { fixed: [100, 200, 400, 800], gigabytes: [1, 2, 4, 10] },
    text: ({ fixed, gigabytes }) =>
      `Verifying and compiling a function takes the server ${fixed} µs. READ moves ${gigabytes} GB/s (10^9 bytes). Everything else is the same on both ways. From how many kB (10^3 bytes) on does shipping the function pay?`,
    answer: ({ fixed, gigabytes }) => fixed * gigabytes,
    unit: 'kB',
    worked: ({ fixed, gigabytes }) =>
      `In ${fixed} µs READ moves ${fixed} × 10^-6 s × ${gigabytes} × 10^9 B/s = ${fixed * gigabytes} × 10^3 bytes. Beyond that, moving the data takes longer.`,
  }),
  choiceCheck({
    id: 'signature',
    text: 'The signature of a function is right. What does the server know?',
    options: [
      { id: 'sender', text: 'Who signed it, and that nothing has changed since' },
      { id: 'harmless', text: 'That the function does no harm' },
      { id: 'terminates', text: 'That the function ends in time' },
    ],
    answer: 'sender',
    worked:
      'A signature names the signer and protects the bytes. A signed function can still loop or trap, so the sandbox limits it as well.',
  }),
  choiceCheck({
    id: 'copy',
    text: 'Why does the server copy the function before it verifies it?',
    options: [
      { id: 'change', text: 'The client can WRITE into that memory between the check and the run' },
      { id: 'align', text: 'The verification needs aligned memory' },
      { id: 'free', text: 'The device needs the memory for the next packet' },
    ],
    answer: 'change',
    worked:
      'The client holds an rkey with REMOTE_WRITE. A WRITE needs no action of the server, so bytes that were right when checked can be others when they run. A copy stays as it was checked.',
  }),
];
