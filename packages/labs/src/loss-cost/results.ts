import type { ResultSpecs } from '@verbslab/protocol';

const KEPT = 'Of the goodput without loss.';
const SERIES = [
  { name: 'one', label: 'One in flight' },
  { name: 'one-formula', label: 'One in flight, formula' },
  { name: 'several', label: 'Several in flight' },
  { name: 'several-formula', label: 'Several in flight, formula' },
];
const axes = {
  x: { label: 'Loss', unit: '%', log: true },
  y: { label: 'Goodput, without loss = 100', unit: '%' },
  series: SERIES,
};

export const RESULTS: ResultSpecs = {
  figures: [
    { name: 'kept', label: 'Goodput at 1 % loss: large messages, several in flight', unit: '%', text: KEPT },
    {
      name: 'kept-alone',
      label: 'Goodput at 1 % loss: small messages, one in flight',
      unit: '%',
      text: KEPT,
    },
    {
      name: 'kept-small',
      label: 'Goodput at 1 % loss: small messages, several in flight',
      unit: '%',
      text: KEPT,
    },
    {
      name: 'kept-large-alone',
      label: 'Goodput at 1 % loss: large messages, one in flight',
      unit: '%',
      text: KEPT,
    },
    { name: 'lossless', label: 'Goodput without loss: large messages, several in flight', unit: 'Gb/s' },
    {
      name: 'worst',
      label: 'Goodput at the highest loss: large messages, several in flight',
      unit: '%',
      text: KEPT,
    },
    {
      name: 'residual',
      label: 'Largest difference from the formula',
      unit: '%',
      text: 'Of the medians at all settings with loss.',
    },
    { name: 'captured-needed', label: 'Data packets that the captured messages need', unit: 'packets' },
    { name: 'captured-lost', label: 'Packets lost during the capture', unit: 'packets' },
    { name: 'captured-again', label: 'Packets retransmitted, in the capture', unit: 'packets' },
  ],
  tables: [
    {
      name: 'points',
      label: 'Goodput by loss',
      text: 'Median and range of the repetitions. Formula: computed from the time and the latency of a message without loss. Residual: measured / formula − 1. Lost, timeouts and retransmitted: sums of all repetitions, with their warm-ups.',
      columns: [
        { name: 'size', label: 'Message', unit: 'B' },
        { name: 'window', label: 'In flight' },
        { name: 'loss', label: 'Loss', unit: '%' },
        { name: 'gbps', label: 'Goodput', unit: 'Gb/s' },
        { name: 'min', label: 'Lowest', unit: 'Gb/s' },
        { name: 'max', label: 'Highest', unit: 'Gb/s' },
        { name: 'predicted', label: 'Formula', unit: 'Gb/s' },
        { name: 'residual', label: 'Residual', unit: '%' },
        { name: 'lost', label: 'Packets lost' },
        { name: 'timeouts', label: 'ACK timeouts' },
        { name: 'again', label: 'Retransmitted' },
      ],
    },
  ],
  curves: [
    { name: 'small', label: 'Goodput of small messages', ...axes },
    { name: 'large', label: 'Goodput of large messages', ...axes },
  ],
};
