import type { ResultSpecs } from '@verbslab/protocol';

const time = { label: 'Time', unit: 'ms' };
const LOOP_SERIES = [
  { name: 'calm', label: 'Undisturbed' },
  { name: 'small', label: 'Disturbed, windows of 64 KiB' },
  { name: 'middle', label: 'Disturbed, windows of 128 KiB' },
];

export const RESULTS: ResultSpecs = {
  headline: { table: 'loops', columns: ['window', 'disturbed', 'gbps', 'sent', 'backlog'] },
  figures: [
    {
      name: 'stuck',
      label: 'Packets sent / needed at the end, disturbed, 128 KiB',
      text: 'Simulated: over the last 2 ms, long after the disturbance.',
    },
    { name: 'calm', label: 'The same, undisturbed' },
    { name: 'goodput', label: 'Goodput per host, disturbed, 128 KiB', unit: 'Gb/s' },
    { name: 'goodput-calm', label: 'Goodput per host, undisturbed, 128 KiB', unit: 'Gb/s' },
    { name: 'backlog', label: 'Flows that wait at the end, disturbed, 128 KiB', unit: 'flows' },
    { name: 'backlog-calm', label: 'Flows that wait at the end, undisturbed', unit: 'flows' },
    {
      name: 'healed',
      label: 'Time after the disturbance until nothing is sent again, 64 KiB',
      unit: 'ms',
    },
    { name: 'own', label: 'Packets sent / needed, undisturbed, 256 KiB', text: 'Over the whole simulation.' },
    {
      name: 'threshold',
      label: 'Window from which one receiver’s queue overflows',
      unit: 'B',
      text: 'Computed: (buffer + rate × round trip) / senders.',
    },
    { name: 'above', label: 'Packets sent / needed with windows of twice that', text: 'Simulated.' },
  ],
  tables: [
    {
      name: 'windows',
      label: 'One receiver: windows against room',
      columns: [
        { name: 'window', label: 'Window', unit: 'B' },
        { name: 'part', label: 'All windows / room' },
        { name: 'drops', label: 'Drops' },
        { name: 'again', label: 'Sent again' },
        { name: 'sent', label: 'Sent / needed' },
        { name: 'gbps', label: 'Goodput', unit: 'Gb/s' },
      ],
    },
    {
      name: 'loops',
      label: 'Random traffic, disturbed once or not',
      columns: [
        { name: 'window', label: 'Window', unit: 'B' },
        { name: 'disturbed', label: 'Disturbed' },
        { name: 'gbps', label: 'Goodput per host', unit: 'Gb/s' },
        { name: 'drops', label: 'Drops' },
        { name: 'timeouts', label: 'Timeouts' },
        { name: 'sent', label: 'Sent / needed at the end' },
        { name: 'backlog', label: 'Flows that wait' },
      ],
    },
  ],
  curves: [
    {
      name: 'received',
      label: 'What hosts receive, what came again included',
      x: time,
      y: { label: 'Per host', unit: 'Gb/s' },
      series: LOOP_SERIES,
    },
    {
      name: 'again',
      label: 'Part of it that was sent again',
      x: time,
      y: { label: 'Sent again', unit: '%' },
      series: LOOP_SERIES,
    },
    {
      name: 'by-window',
      label: 'One receiver: packets sent / needed',
      text: 'Expected: no loss, so 1, up to all windows / room = 1.',
      x: { label: 'All windows / room' },
      y: { label: 'Sent / needed' },
      series: [
        { name: 'measured', label: 'Simulated' },
        { name: 'expected', label: 'Expected below the limit' },
      ],
    },
  ],
};
