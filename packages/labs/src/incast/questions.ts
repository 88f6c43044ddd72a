import { formatNumber } from '../base/format.js';
import { choiceCheck, numberCheck } from '../form/self-checks.js';

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
  choiceCheck({
    id: 'pfc',
    text: 'A switch has PFC, but no ECN, and one server is the target of an incast. What happens to a flow to another server?',
    options: [
      { id: 'waits', text: 'It may wait' },
      { id: 'lost', text: 'The switch drops its packets' },
      { id: 'nothing', text: 'Nothing' },
    ],
    answer: 'waits',
    worked: 'PFC pauses a priority on a link, not a flow.',
  }),
];
