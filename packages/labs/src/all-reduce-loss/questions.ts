import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { stepsOf, timeoutsOf } from './formula.js';

export const ALL_REDUCE_LOSS_SELF_CHECKS = [
  numberCheck({
    id: 'timeouts',
    numbers: { hosts: [32, 64, 128, 256], packets: [16, 64], ppm: [200, 500, 1000] },
    text: ({ hosts, packets, ppm }) =>
      `${hosts} hosts send ${packets} packets per step of a ring, and ${ppm / 10_000} % of the packets are lost. How many are expected to be lost again when they are resent?`,
    answer: ({ hosts, packets, ppm }) => stepsOf(hosts) * hosts * packets * (ppm / 1e6) ** 2,
    unit: 'packets',
    tolerance: 0.05,
    worked: ({ hosts, packets, ppm }) =>
      `${hosts} hosts × ${stepsOf(hosts)} steps × ${packets} packets × (${ppm / 1e6})² = ${(timeoutsOf({ hosts, packets, timeout: 0 }, ppm / 1e6) - (hosts * ppm) / 1e6).toFixed(3)}.`,
  }),
  choiceCheck({
    id: 'tail',
    text: 'The last packet of a step is lost. Why does the ring seldom wait for a timeout then?',
    options: [
      { id: 'next', text: 'The packets of the next step, on the same QP, show the gap' },
      { id: 'ack', text: 'The responder asks for it' },
      { id: 'copy', text: 'Every packet is sent twice' },
    ],
    answer: 'next',
    worked: 'The sender does not wait for its successor: it goes on as soon as its predecessor has sent.',
  }),
];
