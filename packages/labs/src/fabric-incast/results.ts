import type { ResultSpecs } from '@verbslab/protocol';
import { SETTINGS } from './scenario.js';

const SLOW = 'p99 of the answers over the time that the link needs for all of them.';
const STANDING = 'Mean over the second half of the time that the link needs for all answers.';

export const RESULTS: ResultSpecs = {
  headline: { figures: ['peak-left', 'standing-left', 'slow-pfc-cc', 'slow-drop'] },
  figures: [
    {
      name: 'standing-left',
      label: 'Standing queue that congestion control leaves, with PFC',
      unit: '%',
      text: STANDING,
    },
    { name: 'peak-left', label: 'Longest queue that congestion control leaves, with PFC', unit: '%' },
    { name: 'standing', label: 'Standing queue with PFC', unit: 'KB', text: STANDING },
    {
      name: 'standing-cc',
      label: 'Standing queue with PFC and congestion control',
      unit: 'KB',
      text: STANDING,
    },
    { name: 'peak', label: 'Longest queue with PFC', unit: 'KB' },
    { name: 'peak-cc', label: 'Longest queue with PFC and congestion control', unit: 'KB' },
    { name: 'pauses', label: 'PAUSE frames with PFC', unit: 'PAUSEs' },
    { name: 'pauses-cc', label: 'PAUSE frames with PFC and congestion control', unit: 'PAUSEs' },
    { name: 'slow-drop', label: 'Slowest answers with drops', unit: '×', text: SLOW },
    {
      name: 'slow-drop-cc',
      label: 'Slowest answers with drops and congestion control',
      unit: '×',
      text: SLOW,
    },
    { name: 'slow-pfc', label: 'Slowest answers with PFC', unit: '×', text: SLOW },
    { name: 'slow-pfc-cc', label: 'Slowest answers with PFC and congestion control', unit: '×', text: SLOW },
    { name: 'dropped', label: 'Packets dropped without PFC', unit: 'packets' },
    { name: 'again', label: 'Packets sent again without PFC', unit: 'packets' },
    {
      name: 'ideal',
      label: 'Time that the link needs for all answers',
      unit: 'ms',
      text: 'Computed: their bytes with all headers, at the rate of the link.',
    },
    {
      name: 'residual',
      label: 'Longest queue with PFC, against the formula',
      unit: '%',
      text: 'Simulated / formula − 1, for the number of hosts at which it is farthest from 0.',
    },
  ],
  tables: [
    {
      name: 'settings',
      label: 'The four settings',
      text: 'Medians over the seeds.',
      columns: [
        { name: 'setting', label: 'Setting' },
        { name: 'median', label: 'Answers, p50', unit: 'ms' },
        { name: 'p99', label: 'Answers, p99', unit: 'ms' },
        { name: 'peak', label: 'Longest queue', unit: 'KB' },
        { name: 'standing', label: 'Standing queue', unit: 'KB' },
        { name: 'drops', label: 'Dropped' },
        { name: 'again', label: 'Sent again' },
        { name: 'timeouts', label: 'ACK timeouts' },
        { name: 'pauses', label: 'PAUSE frames' },
        { name: 'cnps', label: 'CNPs' },
      ],
    },
    {
      name: 'hosts',
      label: 'Longest queue by hosts',
      text: 'Answers of 1 MiB: the longest queue is one of the first round trips. Residual: simulated / formula − 1.',
      columns: [
        { name: 'hosts', label: 'Hosts' },
        { name: 'peak', label: 'With PFC', unit: 'KB' },
        { name: 'formula', label: 'Formula', unit: 'KB' },
        { name: 'residual', label: 'Residual', unit: '%' },
        { name: 'cc', label: 'And congestion control', unit: 'KB' },
      ],
    },
  ],
  curves: [
    {
      name: 'queue',
      label: 'The queue to the receiver',
      text: 'The first seed. A point is the highest of several samples.',
      x: { label: 'Time', unit: 'ms' },
      y: { label: 'Queue', unit: 'KB' },
      series: SETTINGS.map(({ name, label }) => ({ name, label })),
    },
    {
      name: 'by-hosts',
      label: 'How the longest queue grows with the hosts',
      x: { label: 'Hosts', log: true },
      y: { label: 'Longest queue', unit: 'KB', log: true },
      series: [
        { name: 'pfc', label: 'PFC' },
        { name: 'formula', label: 'PFC, formula' },
        { name: 'pfc-cc', label: 'PFC, congestion control' },
      ],
    },
  ],
};
