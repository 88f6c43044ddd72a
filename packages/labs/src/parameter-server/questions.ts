import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { immediateOf } from './layout.js';

const hex = (value: number): string => `0x${value.toString(16).padStart(8, '0')}`;

export const PARAMETER_SERVER_QUESTIONS = [
  numberCheck({
    id: 'staleness',
    numbers: { workers: [4, 8, 16, 32] },
    text: ({ workers }) =>
      `${workers} workers push in turns. The server updates the model after every push, and a worker pulls again right after its own update. How many versions behind is the model that a gradient was computed from?`,
    answer: ({ workers }) => workers - 1,
    unit: 'versions',
    tolerance: 0,
    worked: ({ workers }) =>
      `Between two turns of a worker each of the ${workers - 1} others makes one update. So the staleness is ${workers - 1}.`,
  }),
  numberCheck({
    id: 'immediate',
    numbers: { step: { min: 2, max: 40 }, chunk: { min: 1, max: 15 } },
    text: ({ step, chunk }) =>
      `An immediate holds the step in its upper 16 bits and the number of the chunk in its lower 16. The server’s completion has ${hex(immediateOf(step, chunk))}. Which immediate must follow from this worker if the step has more chunks? Answer with a decimal number.`,
    answer: ({ step, chunk }) => immediateOf(step, chunk + 1),
    tolerance: 0,
    worked: ({ step, chunk }) =>
      `It is chunk ${chunk} of step ${step}. The next one is chunk ${chunk + 1}: ${step} × 65,536 + ${chunk + 1} = ${immediateOf(step, chunk + 1)}.`,
  }),
  choiceCheck({
    id: 'reuse',
    text: 'A worker’s push has completed at the worker. When may it write the next push to the same place of the server?',
    options: [
      { id: 'now', text: 'At once: the completion says that the data is at the server' },
      { id: 'taken', text: 'When it has read that the server has taken the push' },
      { id: 'flushed', text: 'After a READ of any place of the server’s memory' },
    ],
    answer: 'taken',
    worked:
      'The completion says that the server’s device has acknowledged the push, not that the server’s program has read it. Only the program can say that, here by the step number that workers pull with the model.',
  }),
];
