import type { ResultSpecs } from '@verbslab/protocol';

export const RESULTS: ResultSpecs = {
  figures: [
    { name: 'peak', label: 'Longest queue', unit: 'KB', text: 'With the large buffer.' },
    {
      name: 'formula',
      label: 'Longest queue by the formula',
      unit: 'KB',
      text: 'Computed: (N − 1) × answer.',
    },
    {
      name: 'residual',
      label: 'Longest queue against the formula',
      unit: '%',
      text: 'Simulated / formula − 1, at the number of hosts where it is farthest from 0.',
    },
    { name: 'load', label: 'Mean use of the link', unit: '%', text: 'Over the whole run.' },
    { name: 'use-10us', label: 'Highest use of the link over 10 µs', unit: '%' },
    { name: 'use-1ms', label: 'Highest use of the link over 1 ms', unit: '%' },
    { name: 'empty', label: 'Time without a queue', unit: '%', text: 'Samples every 10 µs.' },
    { name: 'burst', label: 'Time that the link needs for a burst', unit: 'µs', text: 'Computed.' },
    {
      name: 'p99',
      label: 'Slowest answers: large buffer',
      unit: 'µs',
      text: 'p99 of the times of all answers.',
    },
    { name: 'p99-pfc', label: 'Slowest answers: small buffer, PFC', unit: 'µs', text: 'p99.' },
    {
      name: 'p99-small',
      label: 'Slowest answers: small buffer',
      unit: 'ms',
      text: 'p99 of those that arrived.',
    },
    {
      name: 'p99-dcqcn',
      label: 'Slowest answers: small buffer, DCQCN',
      unit: 'ms',
      text: 'p99 of those that arrived.',
    },
    { name: 'dropped', label: 'Packets dropped: small buffer', unit: 'packets' },
    { name: 'dropped-dcqcn', label: 'Packets dropped: small buffer, DCQCN', unit: 'packets' },
    { name: 'pauses', label: 'PAUSE frames: small buffer, PFC', unit: 'PAUSEs' },
  ],
  tables: [
    {
      name: 'settings',
      label: 'The same bursts at four switches',
      columns: [
        { name: 'setting', label: 'Switch' },
        { name: 'load', label: 'Mean use', unit: '%' },
        { name: 'median', label: 'Answers, p50', unit: 'µs' },
        { name: 'p99', label: 'Answers, p99', unit: 'µs' },
        { name: 'peak', label: 'Longest queue', unit: 'KB' },
        { name: 'drops', label: 'Dropped' },
        { name: 'timeouts', label: 'ACK timeouts' },
        { name: 'pauses', label: 'PAUSE frames' },
        { name: 'unfinished', label: 'Answers under way at the end' },
      ],
    },
    {
      name: 'hosts',
      label: 'Longest queue by hosts',
      text: 'With the large buffer. Residual: simulated / formula − 1.',
      columns: [
        { name: 'hosts', label: 'Hosts' },
        { name: 'load', label: 'Load', unit: '%' },
        { name: 'peak', label: 'Longest queue', unit: 'KB' },
        { name: 'formula', label: 'Formula', unit: 'KB' },
        { name: 'residual', label: 'Residual', unit: '%' },
        { name: 'drain', label: 'Time of a burst', unit: 'µs' },
      ],
    },
  ],
  curves: [
    {
      name: 'use',
      label: 'How an average hides a burst',
      x: { label: 'Averaged over', unit: 'µs', log: true },
      y: { label: 'Highest use of the link', unit: '%' },
      series: [
        { name: 'simulated', label: 'Simulated' },
        { name: 'formula', label: 'Formula' },
      ],
    },
    {
      name: 'queue',
      label: 'The queue during one burst',
      x: { label: 'Time from its start', unit: 'µs' },
      y: { label: 'Queue', unit: 'KB' },
    },
    {
      name: 'by-hosts',
      label: 'How the longest queue grows with the hosts',
      x: { label: 'Hosts', log: true },
      y: { label: 'Longest queue', unit: 'KB', log: true },
      series: [
        { name: 'simulated', label: 'Simulated' },
        { name: 'formula', label: 'Formula' },
      ],
    },
  ],
};
