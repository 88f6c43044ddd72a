import type { ResultSpecs } from '@verbslab/protocol';

const KEPT = 'Of the median without loss. Range: slowest with loss by fastest without, and vice versa.';
const SERIES = [
  { name: 'one', label: 'One in flight' },
  { name: 'one-formula', label: 'One in flight, formula' },
  { name: 'several', label: 'Several in flight' },
  { name: 'several-formula', label: 'Several in flight, formula' },
];
const axes = {
  x: { label: 'Loss', unit: '%', log: true },
  y: { label: 'Goodput', unit: 'Gb/s', log: true },
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
      text: 'Measured median / formula − 1, where it is farthest from 0. Negative: slower than the formula.',
    },
    {
      name: 'lost-alone',
      label: 'Packets lost at 1 %: small messages, one in flight',
      unit: 'packets',
      text: 'All repetitions, with their warm-ups.',
    },
    { name: 'timeout', label: 'One ACK timeout', unit: 'ms', text: 'Computed: 4.096 µs × 2^timeout.' },
    { name: 'captured-needed', label: 'Data packets that the captured messages need', unit: 'packets' },
    { name: 'captured-lost', label: 'Packets lost during the capture', unit: 'packets' },
    { name: 'captured-again', label: 'Packets retransmitted, in the capture', unit: 'packets' },
  ],
  tables: [
    {
      name: 'formula',
      label: 'What the formula uses',
      text: 'Medians without loss; the packets follow from the path MTU.',
      columns: [
        { name: 'size', label: 'Message', unit: 'B' },
        { name: 'window', label: 'In flight' },
        { name: 'packets', label: 'n: packets' },
        { name: 'time', label: 't: time per message', unit: 'µs' },
        { name: 'latency', label: 'L: latency', unit: 'µs' },
        { name: 'timeout', label: 'T: ACK timeout', unit: 'ms' },
      ],
    },
    {
      name: 'points',
      label: 'Goodput by loss',
      text: 'Medians and ranges. Residual: measured / formula − 1. Counts: all repetitions, with their warm-ups.',
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
    {
      name: 'left',
      label: 'Goodput that loss leaves',
      x: { label: 'Loss', unit: '%', log: true },
      y: { label: 'Goodput with loss / without', unit: '%' },
      series: [
        { name: 'large-several', label: 'Large, several in flight' },
        { name: 'large-one', label: 'Large, one' },
        { name: 'small-several', label: 'Small, several in flight' },
        { name: 'small-one', label: 'Small, one' },
      ],
    },
    { name: 'small', label: 'Goodput of small messages', ...axes },
    { name: 'large', label: 'Goodput of large messages', ...axes },
  ],
};
