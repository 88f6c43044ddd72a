import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const PFC_DEADLOCK_SELF_CHECKS = [
  numberCheck({
    id: 'limit',
    numbers: { hops: [2, 3, 4, 5], gbps: [100, 200, 400] },
    text: ({ hops, gbps }) =>
      `Links of a ring run at ${gbps} Gb/s. Each switch’s host sends over ${hops} of them in the same direction. Up to which rate per host can no deadlock form?`,
    answer: ({ hops, gbps }) => gbps / hops,
    unit: 'Gb/s',
    worked: ({ hops, gbps }) =>
      `Each link carries the flows of ${hops} hosts: ${gbps} / ${hops} = ${(gbps / hops).toFixed(1)} Gb/s.`,
  }),
  choiceCheck({
    id: 'tree',
    text: 'Why does PFC not deadlock over leaf and spine?',
    options: [
      { id: 'up-down', text: 'Paths go up, then down: buffers cannot wait for each other in a circle' },
      { id: 'fast', text: 'Its links are never full' },
      { id: 'spines', text: 'Spines do not pause' },
    ],
    answer: 'up-down',
    worked: 'A path that goes down and up again, as after a failed link, may close a circle.',
  }),
];
