import type { ResultSpecs } from '@verbslab/protocol';

const x = { label: 'Messages in flight', log: true };
const y = { label: 'Goodput', unit: 'Gb/s', log: true };
const RTT = 'Mean latency of a WRITE that is alone in flight, in the fastest repetition.';
const KNEE = 'The fewest messages in flight with 90 % of the highest goodput at this delay.';

export const RESULTS: ResultSpecs = {
  figures: [
    { name: 'knee-long', label: 'Knee with the longest delay', unit: 'messages', text: KNEE },
    { name: 'rtt-long', label: 'Round trip with the longest delay', unit: 'µs', text: RTT },
    { name: 'knee-none', label: 'Knee without added delay', unit: 'messages', text: KNEE },
    { name: 'rtt-none', label: 'Round trip without added delay', unit: 'µs', text: RTT },
    { name: 'knee-short', label: 'Knee with a quarter of the delay', unit: 'messages', text: KNEE },
    { name: 'rtt-short', label: 'Round trip with a quarter of the delay', unit: 'µs', text: RTT },
    { name: 'link', label: 'Highest goodput without added delay', unit: 'Gb/s' },
    {
      name: 'kept-eight',
      label: 'Goodput of eight in flight with the longest delay',
      unit: '%',
      text: 'Of that without added delay.',
    },
    {
      name: 'product',
      label: 'Bandwidth-delay product with the longest delay',
      unit: 'B',
      text: 'Highest goodput without added delay × round trip.',
    },
    { name: 'needed', label: 'Messages that hold that many bytes', unit: 'messages' },
  ],
  tables: [
    {
      name: 'paths',
      label: 'Delays',
      text: 'Needed: highest goodput without added delay × round trip / message size.',
      columns: [
        { name: 'delay', label: 'Added delay', unit: 'µs' },
        { name: 'rtt', label: 'Round trip', unit: 'µs' },
        { name: 'product', label: 'Bandwidth-delay product', unit: 'B' },
        { name: 'needed', label: 'Needed in flight' },
        { name: 'knee', label: 'Knee' },
        { name: 'gbps', label: 'Goodput at the knee', unit: 'Gb/s' },
      ],
    },
    {
      name: 'points',
      label: 'Goodput by delay and window',
      text: 'From the fastest repetition. Computed: the smaller one of the highest goodput without added delay and in flight × size / round trip. Residual: measured / computed − 1.',
      columns: [
        { name: 'delay', label: 'Added delay', unit: 'µs' },
        { name: 'window', label: 'In flight' },
        { name: 'gbps', label: 'Goodput', unit: 'Gb/s' },
        { name: 'min', label: 'Slowest repetition', unit: 'Gb/s' },
        { name: 'computed', label: 'Computed', unit: 'Gb/s' },
        { name: 'residual', label: 'Residual', unit: '%' },
      ],
    },
  ],
  curves: [
    {
      name: 'goodput',
      label: 'Goodput by messages in flight',
      text: 'The fastest repetition, with the range of all.',
      x,
      y,
      series: [
        { name: 'none', label: 'No added delay' },
        { name: 'short', label: 'A quarter of the delay' },
        { name: 'long', label: 'Longest delay' },
        { name: 'knee', label: 'Knees' },
      ],
    },
    {
      name: 'longest',
      label: 'Longest delay: measured and computed',
      x,
      y,
      series: [
        { name: 'measured', label: 'Measured' },
        { name: 'computed', label: 'Computed' },
      ],
    },
  ],
};
