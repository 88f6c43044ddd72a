import type { ResultSpecs } from '@verbslab/protocol';

const series = [
  { name: 'calm', label: 'Without spikes' },
  { name: 'spiky', label: 'With spikes' },
];

export const RESULTS: ResultSpecs = {
  figures: [
    { name: 'mean', label: 'Mean with spikes', unit: 'µs' },
    { name: 'p50', label: 'p50 with spikes', unit: 'µs' },
    { name: 'p99', label: 'p99 with spikes', unit: 'µs' },
    { name: 'p999', label: 'p99.9 with spikes', unit: 'µs' },
    { name: 'max', label: 'Maximum with spikes', unit: 'µs' },
    { name: 'mean-calm', label: 'Mean without spikes', unit: 'µs' },
    { name: 'p99-calm', label: 'p99 without spikes', unit: 'µs' },
    { name: 'p999-calm', label: 'p99.9 without spikes', unit: 'µs' },
    { name: 'delayed', label: 'Packets that the device delayed', unit: 'packets' },
    {
      name: 'mean-computed',
      label: 'Mean with spikes, computed',
      unit: 'µs',
      text: 'Mean without spikes + delayed packets per WRITE × delay. Only for WRITEs of one packet.',
    },
    {
      name: 'below-mean',
      label: 'WRITEs that were faster than the mean',
      unit: '%',
      text: 'With spikes, and than the mean with spikes.',
    },
  ],
  tables: [
    {
      name: 'summaries',
      label: 'Latency of a WRITE',
      text: 'From post to completion, one in flight.',
      columns: [
        { name: 'what', label: 'Setting' },
        { name: 'n', label: 'n' },
        { name: 'delayed', label: 'Delayed' },
        { name: 'min', label: 'Minimum', unit: 'µs' },
        { name: 'mean', label: 'Mean', unit: 'µs' },
        { name: 'p50', label: 'p50', unit: 'µs' },
        { name: 'p99', label: 'p99', unit: 'µs' },
        { name: 'p999', label: 'p99.9', unit: 'µs' },
        { name: 'max', label: 'Maximum', unit: 'µs' },
      ],
    },
  ],
  curves: [
    {
      name: 'percentiles',
      label: 'Percentiles',
      text: 'A line ends where fewer than 10 WRITEs took longer.',
      x: { label: 'N: one in N took longer', log: true },
      y: { label: 'Latency', unit: 'µs', log: true },
      series,
    },
    {
      name: 'histogram',
      label: 'Histogram',
      text: 'A point counts the WRITEs from its x to √2 times that.',
      x: { label: 'Latency', unit: 'µs', log: true },
      y: { label: 'WRITEs', log: true },
      series,
    },
    {
      name: 'cumulative',
      label: 'Cumulative counts',
      text: 'WRITEs that took at most this long. Latencies within 1 % are one step.',
      x: { label: 'Latency', unit: 'µs', log: true, digits: 4 },
      y: { label: 'WRITEs', digits: 6 },
      series,
    },
  ],
};
