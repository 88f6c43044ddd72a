import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { xoffOf } from '../fabric/link.js';

const queueMb = (ports: number, parts: number, pool: number): number =>
  ports * xoffOf(ports, 1 / parts, pool);

export const ECN_OR_PFC_QUESTIONS = [
  numberCheck({
    id: 'threshold',
    numbers: { ports: [4, 8, 16, 32], parts: [8, 16, 64], pool: [4, 12, 32] },
    text: ({ ports, parts, pool }) =>
      `${ports} ports fill alike the ${pool} MB of a switch whose alpha is 1/${parts}. How long is the queue when they are paused?`,
    answer: ({ ports, parts, pool }) => queueMb(ports, parts, pool),
    unit: 'MB',
    worked: ({ ports, parts, pool }) =>
      `N × alpha × B / (1 + N × alpha) = ${(ports * pool) / parts} / ${1 + ports / parts} = ${queueMb(ports, parts, pool).toPrecision(3)} MB.`,
  }),
  choiceCheck({
    id: 'counts',
    text: 'What do the two thresholds count?',
    options: [
      { id: 'sides', text: 'ECN the queue where packets leave, PFC what came in by each port' },
      { id: 'same', text: 'Both the queue where packets leave' },
      { id: 'whole', text: 'Both the whole buffer' },
    ],
    answer: 'sides',
    worked: 'So the same queue is one number for ECN, and is divided among its ingress ports for PFC.',
  }),
];
