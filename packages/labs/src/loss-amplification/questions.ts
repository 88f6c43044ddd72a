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
  numberCheck({
    id: 'factor',
    numbers: { window: [8, 32, 64, 128], percent: [0.1, 0.5, 1] },
    text: ({ window, percent }) =>
      `Each loss makes go-back-N retransmit ${window} packets, and a packet that the responder waits for is lost with a probability of ${percent} %. How many packets are sent for each one needed?`,
    answer: ({ window, percent }) => 1 + (window * percent) / (100 - percent),
    worked: ({ window, percent }) =>
      `There are p / (1 − p) = ${(percent / (100 - percent)).toPrecision(4)} losses per needed packet, each with ${window} more packets: 1 + ${window} × ${(percent / (100 - percent)).toPrecision(4)} = ${(1 + (window * percent) / (100 - percent)).toPrecision(4)}.`,
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
    worked:
      'The responder has one expected PSN and no list of gaps. That is simple to build into a NIC, and it is why packets that had arrived are sent again.',
  }),
];
