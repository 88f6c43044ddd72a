import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { bandwidthDelay, windowLimited } from '../formulas/little.js';

export const OUTSTANDING_SELF_CHECKS = [
  numberCheck({
    id: 'needed',
    numbers: { gbps: [10, 25, 100, 200], us: [10, 20, 50], kib: [4, 16, 64] },
    text: ({ gbps, us, kib }) =>
      `A link carries ${gbps} Gb/s, and a WRITE takes ${us} µs from post to completion. How many WRITEs of ${kib} KiB must be in flight to fill it?`,
    answer: ({ gbps, us, kib }) => Math.ceil(bandwidthDelay(gbps, us * 1000) / (kib * 1024)),
    unit: 'requests',
    tolerance: 0.05,
    worked: ({ gbps, us, kib }) => {
      const bytes = bandwidthDelay(gbps, us * 1000);
      return `${gbps} Gb/s × ${us} µs = ${bytes} B in flight, and ${bytes} B / ${kib * 1024} B = ${(bytes / (kib * 1024)).toFixed(2)}, so ${Math.ceil(bytes / (kib * 1024))}.`;
    },
  }),
  numberCheck({
    id: 'limited',
    numbers: { depth: [1, 2, 8, 16], us: [5, 10, 40], kib: [4, 8, 32] },
    text: ({ depth, us, kib }) =>
      `A program keeps ${depth} WRITE(s) of ${kib} KiB in flight, and each takes ${us} µs. The link is much faster. What is the program’s goodput in Gb/s?`,
    answer: ({ depth, us, kib }) => windowLimited(depth, kib * 1024, us * 1000),
    unit: 'Gb/s',
    worked: ({ depth, us, kib }) =>
      `${depth} × ${kib * 1024} B × 8 bit / ${us} µs = ${windowLimited(depth, kib * 1024, us * 1000).toFixed(3)} Gb/s.`,
  }),
  choiceCheck({
    id: 'beyond',
    text: 'You double the requests in flight beyond the knee. What happens?',
    options: [
      { id: 'queue', text: 'Each request takes about twice as long, and goodput hardly grows' },
      { id: 'double', text: 'Goodput doubles' },
      { id: 'loss', text: 'Packets are lost, because the send queue is full' },
    ],
    answer: 'queue',
    worked:
      'Requests in flight = rate × latency. The rate is near its limit, so twice as many in flight means about twice the latency.',
  }),
];
