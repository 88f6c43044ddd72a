import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { bandwidthDelay } from '../formulas/little.js';

export const OUTSTANDING_SELF_CHECKS = [
  numberCheck({
    id: 'needed',
    numbers: { gbps: [10, 25, 100, 200], us: [10, 20, 50], kib: [4, 16, 64] },
    text: ({ gbps, us, kib }) =>
      `A link carries ${gbps} Gb/s, and a WRITE takes ${us} µs. How many WRITEs of ${kib} KiB must be in flight to fill it?`,
    answer: ({ gbps, us, kib }) => Math.ceil(bandwidthDelay(gbps, us * 1000) / (kib * 1024)),
    unit: 'requests',
    tolerance: 0.05,
    worked: ({ gbps, us, kib }) => {
      const bytes = bandwidthDelay(gbps, us * 1000);
      return `${gbps} Gb/s × ${us} µs = ${bytes} B in flight, and ${bytes} B / ${kib * 1024} B = ${(bytes / (kib * 1024)).toFixed(2)}, so ${Math.ceil(bytes / (kib * 1024))}.`;
    },
  }),
  choiceCheck({
    id: 'beyond',
    text: 'You double the requests in flight beyond the knee. What happens?',
    options: [
      { id: 'queue', text: 'Latency about doubles, and goodput hardly grows' },
      { id: 'double', text: 'Goodput doubles' },
      { id: 'loss', text: 'Packets are lost' },
    ],
    answer: 'queue',
    worked: 'Requests in flight = rate × latency, and the rate is near its limit.',
  }),
];
