import type { ResultSpecs } from '@verbslab/protocol';

const x = { label: 'Messages in flight', log: true };
const series = [
  { name: 'measured', label: 'Go-back-N, measured' },
  { name: 'selective', label: 'Lost packets only, computed' },
];
const COMPUTED = 'Lost packets only: computed from the same capture.';

export const RESULTS: ResultSpecs = {
  figures: [
    {
      name: 'after-one',
      label: 'Packets retransmitted after one loss, at the largest window',
      unit: 'packets',
    },
    {
      name: 'amplification',
      label: 'Packets sent / needed, at the largest window',
      digits: 4,
      text: 'With random loss.',
    },
    { name: 'amplification-alone', label: 'Packets sent / needed, one in flight', digits: 4 },
    {
      name: 'selective',
      label: 'Packets sent / needed, if only lost packets were retransmitted',
      digits: 4,
      text: 'Computed, at the largest window, with random loss.',
    },
    {
      name: 'had-arrived',
      label: 'Retransmitted packets that had arrived before',
      unit: '%',
      text: 'With random loss, at all windows together.',
    },
  ],
  tables: [
    {
      name: 'single',
      label: 'After one lost packet',
      text: `Medians of the repetitions. ${COMPUTED}`,
      columns: [
        { name: 'window', label: 'In flight' },
        { name: 'lost', label: 'Lost' },
        { name: 'again', label: 'Retransmitted' },
        { name: 'min', label: 'Fewest' },
        { name: 'max', label: 'Most' },
        { name: 'hadArrived', label: 'Had arrived' },
        { name: 'selective', label: 'Retransmitted, lost packets only' },
      ],
    },
    {
      name: 'random',
      label: 'With random loss',
      text: `Sums of the repetitions. ${COMPUTED}`,
      columns: [
        { name: 'window', label: 'In flight' },
        { name: 'needed', label: 'Needed' },
        { name: 'lost', label: 'Lost' },
        { name: 'sent', label: 'Sent' },
        { name: 'again', label: 'Retransmitted' },
        { name: 'hadArrived', label: 'Had arrived' },
        { name: 'selective', label: 'Retransmitted, lost packets only' },
        { name: 'amplification', label: 'Sent / needed', digits: 4 },
        { name: 'selectively', label: 'Sent / needed, lost packets only', digits: 4 },
      ],
    },
  ],
  curves: [
    {
      name: 'afterOne',
      label: 'Packets retransmitted after one loss',
      text: COMPUTED,
      x,
      y: { label: 'Packets' },
      series,
    },
    {
      name: 'amplified',
      label: 'Packets sent / needed with random loss',
      text: COMPUTED,
      x,
      y: { label: 'Sent / needed' },
      series,
    },
  ],
};
