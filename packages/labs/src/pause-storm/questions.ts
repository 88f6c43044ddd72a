import { choiceCheck, numberCheck } from '../form/self-checks.js';

/** PAUSE frames per second, if a PAUSE acts at once. */
const perSecond = (kb: number, rate: number): number => {
  const [fill, drain] = [(100 - rate) * 125, rate * 125];
  return 1e6 / ((kb * 1000) / fill + (kb * 1000) / drain);
};

export const PAUSE_STORM_QUESTIONS = [
  numberCheck({
    id: 'cycle',
    numbers: { kb: [64, 100, 200], rate: [50, 80, 90] },
    text: ({ kb, rate }) =>
      `A NIC takes ${rate} of the 100 Gb/s of its link. It resumes ${kb} KB below the threshold of its PAUSE. How many PAUSE frames does it send per second, if each acts at once?`,
    answer: ({ kb, rate }) => perSecond(kb, rate),
    unit: 'PAUSEs',
    worked: ({ kb, rate }) =>
      `${kb} KB fill at ${100 - rate} Gb/s in ${((kb * 8) / (100 - rate)).toPrecision(3)} µs and drain at ${rate} Gb/s in ${((kb * 8) / rate).toPrecision(3)} µs: ${perSecond(kb, rate).toPrecision(4)} cycles per second.`,
  }),
  choiceCheck({
    id: 'dcqcn',
    text: 'Why does DCQCN not end a pause storm?',
    options: [
      { id: 'nothing', text: 'Nothing arrives at the host that stopped, so it sends no CNPs' },
      { id: 'fast', text: 'It raises the rates again too fast' },
      { id: 'class', text: 'CNPs belong to the paused class' },
    ],
    answer: 'nothing',
    worked:
      'The receiver makes CNPs of marked packets that arrive. Its queue holds the packets, marked or not.',
  }),
];
