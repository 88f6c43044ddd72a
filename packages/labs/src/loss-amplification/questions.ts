import { choiceCheck, numberCheck } from '../form/self-checks.js';

export const LOSS_AMPLIFICATION_SELF_CHECKS = [
  numberCheck({
    id: 'resent',
    numbers: { gbps: [10, 25, 100, 200], us: [10, 20, 50], mtu: [1024, 2048, 4096] },
    text: ({ gbps, us, mtu }) =>
      `A sender fills a path of ${gbps} Gb/s with packets of ${mtu} B payload (ignore headers). A NAK comes ${us} µs after the lost packet left. About how many packets does go-back-N retransmit?`,
    answer: ({ gbps, us, mtu }) => (gbps * 1000 * us) / (8 * mtu),
    unit: 'packets',
    tolerance: 0.05,
    worked: ({ gbps, us, mtu }) =>
      `${gbps} Gb/s × ${us} µs = ${(gbps * 1000 * us) / 8} B left in the meantime. Divided by ${mtu} B: ${((gbps * 1000 * us) / (8 * mtu)).toFixed(1)} packets.`,
  }),
  choiceCheck({
    id: 'why',
    text: 'A packet arrives ahead of the one that is missing. What does a go-back-N responder do with it?',
    options: [
      { id: 'drop', text: 'Drops it: it keeps no packets out of order' },
      { id: 'keep', text: 'Keeps it until the missing one comes' },
      { id: 'place', text: 'Writes it to memory and marks the gap' },
    ],
    answer: 'drop',
    worked: 'The responder has one expected PSN and no list of gaps.',
  }),
];
