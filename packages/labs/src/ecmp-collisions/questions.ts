import { shareInUse } from '../formulas/hashing.js';
import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const ECMP_SELF_CHECKS = [
  numberCheck({
    id: 'in-use',
    numbers: { flows: [4, 8, 16, 32], uplinks: [4, 8, 16] },
    text: ({ flows, uplinks }) =>
      `${flows} flows are hashed to ${uplinks} uplinks. What share of the uplinks is in use, on average?`,
    answer: ({ flows, uplinks }) => shareInUse(uplinks, flows) * 100,
    unit: '%',
    worked: ({ flows, uplinks }) =>
      `An uplink stays idle with probability (1 − 1/${uplinks})^${flows} = ${((1 - shareInUse(uplinks, flows)) * 100).toFixed(1)} %.`,
  }),
  choiceCheck({
    id: 'entropy',
    text: 'Which field of a RoCEv2 packet differs between two QPs of the same pair of hosts, so that a switch hashes them apart?',
    options: [
      { id: 'sport', text: 'The UDP source port' },
      { id: 'dport', text: 'The UDP destination port' },
      { id: 'qpn', text: 'The destination QP in the BTH' },
    ],
    answer: 'sport',
    worked: 'The destination port is always 4791, and a usual hash does not look into the BTH.',
  }),
];
