import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const TOPOLOGY_SELF_CHECKS = [
  numberCheck({
    id: 'oversubscribed',
    numbers: { hosts: [16, 24, 32, 48], spines: [4, 8, 12] },
    text: ({ hosts, spines }) =>
      `A leaf has ${hosts} hosts and ${spines} uplinks, all of 100 Gb/s. All hosts send to other leaves. How many Gb/s does each get, with a perfect spread?`,
    answer: ({ hosts, spines }) => Math.min(100, (100 * spines) / hosts),
    unit: 'Gb/s',
    worked: ({ hosts, spines }) =>
      `${spines} × 100 / ${hosts} = ${Math.min(100, (100 * spines) / hosts).toFixed(1)} Gb/s.`,
  }),
  choiceCheck({
    id: 'order',
    text: 'All hosts write to host 0, then all to host 1, and so on. Why does this take twice as long as a staggered order?',
    options: [
      { id: 'incast', text: 'All share the link of one receiver while the others idle' },
      { id: 'spine', text: 'The spine has too few links' },
      { id: 'acks', text: 'ACKs of one receiver come one by one' },
    ],
    answer: 'incast',
    worked: 'The bytes are the same. Only the links that are busy at the same time differ.',
  }),
];
