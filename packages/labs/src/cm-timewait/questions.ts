import { choiceCheck, numberCheck } from '../form/self-checks.js';

/** First wait of the embedded device for a DREP, ms. */
const FIRST_MS = 250;

export const CM_TIMEWAIT_QUESTIONS = [
  numberCheck({
    id: 'late',
    numbers: { lost: { min: 1, max: 4 } },
    text: ({ lost }) =>
      `A device repeats a DisconnectRequest after ${FIRST_MS} ms, and doubles the pause each time. The first ${lost} are lost. After how long does it send the one that arrives?`,
    answer: ({ lost }) => FIRST_MS * (2 ** lost - 1),
    unit: 'ms',
    tolerance: 0,
    worked: ({ lost }) =>
      `${Array.from({ length: lost }, (_, i) => FIRST_MS * 2 ** i).join(' + ')} = ${FIRST_MS * (2 ** lost - 1)} ms.`,
  }),
  choiceCheck({
    id: 'why',
    text: 'What could go wrong if a QP with the same number connected again at once?',
    options: [
      { id: 'late', text: 'A late packet could be taken for a new one' },
      { id: 'memory', text: 'The old QP’s memory would be lost' },
      { id: 'port', text: 'The port would be in use' },
    ],
    answer: 'late',
    worked: 'A packet names its QP by number. After the timewait, none should be under way.',
  }),
];
