import { bandwidthDelay } from '../formulas/little.js';
import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const DELAY_AND_WINDOW_SELF_CHECKS = [
  numberCheck({
    id: 'far',
    numbers: { gbps: [10, 25, 100], km: [10, 40, 100], kib: [64, 256, 1024] },
    text: ({ gbps, km, kib }) =>
      `Two sites are ${km} km of fiber apart; light needs 5 µs per km. The link carries ${gbps} Gb/s. How many messages of ${kib} KiB must be in flight to fill it?`,
    answer: ({ gbps, km, kib }) => Math.ceil(bandwidthDelay(gbps, 10_000 * km) / (kib * 1024)),
    unit: 'messages',
    tolerance: 0.05,
    worked: ({ gbps, km, kib }) => {
      const bytes = bandwidthDelay(gbps, 10_000 * km);
      return `The round trip is 2 × ${km} × 5 µs = ${10 * km} µs. ${gbps} Gb/s × ${10 * km} µs = ${bytes} B, and ${bytes} B / ${kib * 1024} B = ${(bytes / (kib * 1024)).toFixed(2)}.`;
    },
  }),
  choiceCheck({
    id: 'double',
    text: 'A window is below the knee. The round trip doubles. What happens to the goodput?',
    options: [
      { id: 'half', text: 'It halves' },
      { id: 'same', text: 'It stays the same' },
      { id: 'double', text: 'It doubles' },
    ],
    answer: 'half',
    worked: 'Below the knee goodput = in flight × size / round trip, whatever the link could carry.',
  }),
];
