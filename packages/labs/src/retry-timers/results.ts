import type { ResultSpecs } from '@verbslab/protocol';

const columns = [
  { name: 'wait', label: 'One wait', unit: 'ms' },
  { name: 'least', label: 'Minimum time', unit: 'ms' },
  { name: 'measured', label: 'Measured, median', unit: 'ms' },
  { name: 'min', label: 'Shortest', unit: 'ms' },
  { name: 'max', label: 'Longest', unit: 'ms' },
  { name: 'ratio', label: 'Measured / minimum' },
  { name: 'again', label: 'Packets retransmitted' },
  { name: 'status', label: 'Status' },
];
const SERIES = [
  { name: 'measured', label: 'Measured' },
  { name: 'least', label: 'Minimum by the formula' },
];

export const RESULTS: ResultSpecs = {
  figures: [
    {
      name: 'ackTime',
      label: 'Time until status 12, at the largest timeout',
      unit: 'ms',
      text: 'From before the post to the poll that found the completion, inside the client’s process.',
    },
    { name: 'ackLeast', label: 'Minimum time by the formula', unit: 'ms' },
    {
      name: 'ackRatio',
      label: 'Measured / minimum, at the largest timeout',
      text: 'The specification lets a device wait up to four times as long.',
    },
    { name: 'rnrTime', label: 'Time until status 13, with rnr_retry 6', unit: 'ms' },
    { name: 'rnrLeast', label: 'Minimum time of that by the formula', unit: 'ms' },
  ],
  tables: [
    {
      name: 'ack',
      label: 'A peer that is gone',
      text: 'Minimum time: 4.096 µs × 2^timeout × (retry_cnt + 1).',
      columns: [{ name: 'timeout', label: 'timeout' }, ...columns],
    },
    {
      name: 'rnr',
      label: 'A peer without a RECV',
      text: 'Minimum time: the time of min_rnr_timer × rnr_retry.',
      columns: [{ name: 'retry', label: 'rnr_retry' }, ...columns],
    },
  ],
  curves: [
    {
      name: 'ackCurve',
      label: 'Time until status 12',
      x: { label: 'timeout' },
      y: { label: 'Time', unit: 'ms', log: true },
      series: SERIES,
    },
    {
      name: 'rnrCurve',
      label: 'Time until status 13',
      x: { label: 'rnr_retry' },
      y: { label: 'Time', unit: 'ms' },
      series: SERIES,
    },
  ],
};
