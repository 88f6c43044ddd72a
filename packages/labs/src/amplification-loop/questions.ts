import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const AMPLIFICATION_LOOP_SELF_CHECKS = [
  numberCheck({
    id: 'window',
    numbers: { senders: [8, 16, 32, 64], buffer: [1000, 2000, 4000], path: [100, 200] },
    text: ({ senders, buffer, path }) =>
      `${senders} hosts send to one. The switch has ${buffer} KB for that port, and the links hold ${path} KB. Up to which window per host is nothing lost?`,
    answer: ({ senders, buffer, path }) => (buffer + path) / senders,
    unit: 'KB',
    worked: ({ senders, buffer, path }) =>
      `(${buffer} + ${path}) / ${senders} = ${((buffer + path) / senders).toFixed(1)} KB.`,
  }),
  choiceCheck({
    id: 'why',
    text: 'Why does the disturbed network stay stuck, though its load is the same as before?',
    options: [
      { id: 'again', text: 'What it sends again takes the room that the backlog needs to drain' },
      { id: 'links', text: 'The links stay slow' },
      { id: 'timers', text: 'Its QPs are in the error state' },
    ],
    answer: 'again',
    worked: 'Below its load, goodput lets the backlog grow. More hosts then send at once, and more is lost.',
  }),
];
