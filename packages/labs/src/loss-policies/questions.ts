import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const LOSS_POLICIES_SELF_CHECKS = [
  numberCheck({
    id: 'knee',
    numbers: { gbps: [100, 200, 400], us: [6, 12, 24] },
    text: ({ gbps, us }) =>
      `A link of ${gbps} Gb/s has a round trip of ${us} µs, and packets take 4,178 B on it. At which loss does go-back-N keep about half of the goodput (p W = 1)?`,
    answer: ({ gbps, us }) => (100 * 4178 * 8) / (gbps * us * 1000),
    unit: '%',
    worked: ({ gbps, us }) =>
      `W = ${gbps} Gb/s × ${us} µs / 4,178 B = ${((gbps * us * 1000) / 8 / 4178).toFixed(1)} packets, and p = 1 / W.`,
  }),
  choiceCheck({
    id: 'window',
    text: 'Why does selective repeat need a window of twice what the path holds?',
    options: [
      { id: 'gap', text: 'It goes on sending while the gap is repaired' },
      { id: 'acks', text: 'Its ACKs are twice as large' },
      { id: 'pairs', text: 'It sends every packet twice' },
    ],
    answer: 'gap',
    worked: 'The cumulative ACK stands at the gap for one more round trip.',
  }),
];
