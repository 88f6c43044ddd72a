import { formatNumber } from '../base/format.js';
import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { jainIndex } from './fairness.js';

/** Time of `bytes` at `gbps` Gb/s, µs. */
const timeOf = (bytes: number, gbps: number): number => (bytes * 8) / (gbps * 1000);

export const INCAST_QUESTIONS = [
  numberCheck({
    id: 'queue',
    numbers: { clients: [8, 16, 32, 64], kib: [64, 256, 1024], gbps: [25, 100] },
    text: ({ clients, kib, gbps }) =>
      `${clients} clients each have ${kib} KiB in flight to one server with a link of ${gbps} Gb/s. A small request comes last into the same queue. How many µs does it wait?`,
    answer: ({ clients, kib, gbps }) => timeOf(clients * kib * 1024, gbps),
    unit: 'µs',
    worked: ({ clients, kib, gbps }) =>
      `${clients} × ${kib} KiB × 8 / ${gbps} Gb/s = ${formatNumber(timeOf(clients * kib * 1024, gbps))} µs.`,
  }),
  numberCheck({
    id: 'jain',
    numbers: { fast: [2, 4, 8], slow: [1], others: [1, 3] },
    text: ({ fast, slow, others }) =>
      `One client gets ${fast} Gb/s, and ${others === 1 ? 'another one gets' : `${others} others get`} ${slow} Gb/s${others === 1 ? '' : ' each'}. What is Jain’s index, (Σx)² / (N × Σx²)?`,
    answer: ({ fast, slow, others }) => jainIndex([fast, ...Array<number>(others).fill(slow)]) ?? NaN,
    worked: ({ fast, slow, others }) => {
      const total = fast + others * slow;
      const squares = fast ** 2 + others * slow ** 2;
      return `The square of the sum, ${total}² = ${total ** 2}, divided by the number of clients times the sum of the squares, ${others + 1} × ${squares}: ${formatNumber(total ** 2 / ((others + 1) * squares))}.`;
    },
  }),
  choiceCheck({
    id: 'pfc',
    text: 'A switch has PFC, but no ECN, and one server is the target of an incast. What happens to a flow to another server?',
    options: [
      { id: 'waits', text: 'It may wait, because the switch pauses its priority on the whole link' },
      { id: 'lost', text: 'The switch drops its packets' },
      { id: 'nothing', text: 'Nothing, because its own path is free' },
    ],
    answer: 'waits',
    worked:
      'PFC pauses a priority on a link, not a flow. Everything behind the packets that wait for the full queue waits as well, and the pause may spread to the switches before.',
  }),
];
