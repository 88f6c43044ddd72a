import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const HEADER_EXPLORER_SELF_CHECKS = [
  numberCheck({
    id: 'pad',
    numbers: { payload: { min: 41, max: 63 } },
    text: ({ payload }) => `A WRITE carries ${payload} B. How many bytes lie between its RETH and its ICRC?`,
    answer: ({ payload }) => payload + (-payload & 3),
    unit: 'B',
    tolerance: 0,
    worked: ({ payload }) =>
      `The pad fills up to a multiple of 4: ${payload} B + ${-payload & 3} B = ${payload + (-payload & 3)} B. The pad count says ${-payload & 3}.`,
  }),
  choiceCheck({
    id: 'silence',
    text: 'A packet has a wrong ICRC. Why does the device not answer with a NAK?',
    options: [
      { id: 'trust', text: 'It cannot know whom to answer' },
      { id: 'time', text: 'A NAK would take too long' },
      { id: 'udp', text: 'UDP sends the packet again' },
    ],
    answer: 'trust',
    worked: 'Any bit may be wrong, those of the QPN too.',
  }),
];
