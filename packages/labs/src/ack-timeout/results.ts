import type { ResultSpecs } from '@verbslab/protocol';

const x = { label: 'timeout of the QP' };

export const RESULTS: ResultSpecs = {
  figures: [
    {
      name: 'longest',
      label: 'Goodput kept under loss, longest timeout',
      unit: '%',
      text: 'Simulated: share of the goodput without loss.',
    },
    { name: 'best', label: 'Goodput kept under loss, best timeout', unit: '%' },
    {
      name: 'shortest-safe',
      label: 'Smallest timeout without a needless resend in the queue',
      text: 'Simulated: the value of the QP’s attribute.',
    },
    {
      name: 'interval',
      label: 'Time between two ACKs in the queue',
      unit: 'µs',
      text: 'Computed: senders × a fourth of the window on the link, and a round trip.',
    },
    { name: 'too-short', label: 'Packets sent / needed in the queue, at worst', text: 'Simulated.' },
    { name: 'failed', label: 'Flows that failed in the queue, at worst' },
    { name: 'tail', label: 'Message whose last packet is lost, longest timeout', unit: 'ms' },
    { name: 'whole', label: 'The same message without loss', unit: 'ms' },
    {
      name: 'residual',
      label: 'Largest difference from the formula under loss',
      unit: '%',
      text: 'Simulated / formula − 1, where it is farthest from 0.',
    },
  ],
  tables: [
    {
      name: 'timeouts',
      label: 'All timeouts',
      columns: [
        { name: 'timeout', label: 'timeout' },
        { name: 'us', label: '4.096 µs × 2^timeout', unit: 'µs' },
        { name: 'kept', label: 'Goodput kept under loss', unit: '%' },
        { name: 'formula', label: 'Formula', unit: '%' },
        { name: 'expired', label: 'Timeouts under loss' },
        { name: 'sent', label: 'Sent / needed in the queue' },
        { name: 'time', label: 'Time in the queue', unit: 'ms' },
        { name: 'failed', label: 'Failed flows' },
        { name: 'tail', label: 'Last packet lost', unit: 'ms' },
      ],
    },
  ],
  curves: [
    {
      name: 'kept',
      label: 'Random loss: goodput kept',
      text: 'Formula: (1 − p) / (1 − p + p W + p² R), W and R the packets in a round trip and in a timeout.',
      x,
      y: { label: 'Share of the goodput without loss', unit: '%' },
      series: [
        { name: 'measured', label: 'Simulated' },
        { name: 'formula', label: 'Formula' },
      ],
    },
    {
      name: 'sent',
      label: 'A queue without loss: packets sent / needed',
      text: 'Expected: nothing is sent again where the timeout exceeds the time between two ACKs.',
      x,
      y: { label: 'Sent / needed', log: true },
      series: [
        { name: 'measured', label: 'Simulated' },
        { name: 'safe', label: 'Expected, where the timeout is safe' },
      ],
    },
    {
      name: 'last-packet',
      label: 'The last packet lost: time of a message',
      text: 'Formula: the time without loss, and one timeout.',
      x,
      y: { label: 'Time', unit: 'ms', log: true },
      series: [
        { name: 'measured', label: 'Simulated' },
        { name: 'formula', label: 'Formula' },
      ],
    },
  ],
};
