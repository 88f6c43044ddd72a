import type { ResultSpecs } from '@verbslab/protocol';

const x = { label: 'Messages in flight', log: true };
const y = { label: 'Goodput', unit: 'Gb/s', log: true };
const RTT = 'Mean latency of a WRITE that is alone in flight, in the fastest repetition.';
const HALF = 'Fewest in flight that carried half of the link. A dash: no window was enough.';

export const RESULTS: ResultSpecs = {
  figures: [
    {
      name: 'half-long',
      label: 'In flight for half of the link, longest delay',
      unit: 'messages',
      text: HALF,
    },
    { name: 'rtt-long', label: 'Round trip with the longest delay', unit: 'µs', text: RTT },
    {
      name: 'half-none',
      label: 'In flight for half of the link, no added delay',
      unit: 'messages',
      text: HALF,
    },
    { name: 'rtt-none', label: 'Round trip without added delay', unit: 'µs', text: RTT },
    {
      name: 'half-short',
      label: 'In flight for half of the link, a quarter of the delay',
      unit: 'messages',
      text: HALF,
    },
    { name: 'rtt-short', label: 'Round trip with a quarter of the delay', unit: 'µs', text: RTT },
    {
      name: 'link',
      label: 'The link: highest goodput without added delay',
      unit: 'Gb/s',
      text: 'Of the fastest repetition.',
    },
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
    {
      name: 'needed',
      label: 'Messages in flight that fill the link, longest delay',
      unit: 'messages',
      text: 'Computed: bandwidth-delay product / message size.',
    },
  ],
  tables: [
    {
      name: 'paths',
      label: 'Delays',
      text: 'Computed: link × round trip / message size. A dash: no window was enough.',
      columns: [
        { name: 'delay', label: 'Added delay', unit: 'µs' },
        { name: 'rtt', label: 'Round trip', unit: 'µs' },
        { name: 'product', label: 'Bandwidth-delay product', unit: 'B' },
        { name: 'needed', label: 'Needed in flight' },
        { name: 'halfComputed', label: 'For half of the link, computed' },
        { name: 'half', label: 'For half of the link, measured' },
        { name: 'gbps', label: 'Goodput with the largest window', unit: 'Gb/s' },
      ],
    },
    {
      name: 'points',
      label: 'Goodput by delay and window',
      text: 'Computed: the smaller of link and in flight × size / round trip.',
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
      text: 'The fastest repetition. Bars reach down to the slowest.',
      x,
      y,
      series: [
        { name: 'none', label: 'No added delay' },
        { name: 'short', label: 'A quarter of the delay' },
        { name: 'long', label: 'Longest delay' },
        { name: 'half', label: 'Half of the link' },
      ],
    },
    {
      name: 'longest',
      label: 'Longest delay: measured and computed',
      text: 'Computed: the link or in flight × size / round trip, whichever is smaller.',
      x,
      y,
      series: [
        { name: 'measured', label: 'Measured' },
        { name: 'computed', label: 'Computed' },
      ],
    },
  ],
};
