import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const MEMORY_WINDOWS_QUESTIONS = [
  numberCheck({
    id: 'last-offset',
    numbers: { length: [256, 512, 1024], size: [8, 64, 128] },
    text: ({ length, size }) =>
      `A window opens ${length} B. What is the largest offset in it at which a WRITE of ${size} B passes?`,
    answer: ({ length, size }) => length - size,
    unit: 'B',
    tolerance: 0,
    worked: ({ length, size }) => `The whole WRITE must lie inside: ${length} − ${size} = ${length - size}.`,
  }),
  choiceCheck({
    id: 'send-right',
    text: 'A region is used only for the buffers of RECVs. Which rights does it need?',
    options: [
      { id: 'local', text: 'LOCAL_WRITE' },
      { id: 'remote', text: 'REMOTE_WRITE' },
      { id: 'both', text: 'LOCAL_WRITE and REMOTE_WRITE' },
    ],
    answer: 'local',
    worked: 'The server’s own device writes into a buffer that the server chose. No peer names an address.',
  }),
];
