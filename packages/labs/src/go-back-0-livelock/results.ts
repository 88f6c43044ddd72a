import type { ResultSpecs } from '@verbslab/protocol';

export const RESULTS: ResultSpecs = {
  figures: [
    {
      name: 'zero',
      label: 'Goodput of the largest messages, go-back-0',
      unit: 'Gb/s',
      text: 'Simulated: payload of completed messages. A link of 100 Gb/s without loss carries 98 with a path MTU of 4096.',
    },
    { name: 'back-n', label: 'Goodput of the largest messages, go-back-N', unit: 'Gb/s' },
    {
      name: 'used',
      label: 'Link in use meanwhile, go-back-0',
      unit: '%',
      text: 'Simulated: bytes of all data packets that the sender sent, with their headers.',
    },
    {
      name: 'completed',
      label: 'Largest message of this run that go-back-0 completed',
      unit: 'B',
    },
    {
      name: 'limit',
      label: 'Largest message that it can complete',
      unit: 'B',
      text: 'Computed: (packets per loss − packets until the NAK) × path MTU.',
    },
    { name: 'until-nak', label: 'Packets from a lost one to its NAK', text: 'Computed, with the lost one.' },
    {
      name: 'residual',
      label: 'Largest difference from the formula',
      unit: '%',
      text: 'Simulated / formula − 1, where it is farthest from 0. Negative: slower than the formula.',
    },
  ],
  tables: [
    {
      name: 'sizes',
      label: 'All simulations',
      text: 'Retransmitted: packets that were sent more than once.',
      columns: [
        { name: 'size', label: 'Message', unit: 'B' },
        { name: 'recovery', label: 'Recovery' },
        { name: 'gbps', label: 'Goodput', unit: 'Gb/s' },
        { name: 'formula', label: 'Formula', unit: 'Gb/s' },
        { name: 'residual', label: 'Difference', unit: '%' },
        { name: 'losses', label: 'Losses' },
        { name: 'again', label: 'Retransmitted' },
      ],
    },
  ],
  curves: [
    {
      name: 'goodput',
      label: 'Goodput over message size',
      x: { label: 'Message size', unit: 'B', log: true },
      y: { label: 'Goodput', unit: 'Gb/s' },
      series: [
        { name: 'go-back-0', label: 'Go-back-0' },
        { name: 'go-back-n', label: 'Go-back-N' },
        { name: 'go-back-0-formula', label: 'Go-back-0, formula' },
        { name: 'go-back-n-formula', label: 'Go-back-N, formula' },
      ],
    },
  ],
};
