import { defineLab } from '../form/define.js';
import { LATENCY_RULES, latencyParams } from './params.js';
import { LATENCY_SELF_CHECKS } from './questions.js';
import { runLatency } from './run.js';
import { WAYS } from '../load/ways.js';

const WHOLE = 'Median of the rounds’ medians. The p50 of the table is of all round trips together.';

/** Lists of runs show the first two figures: RDMA beside TCP. */
const FIRST: readonly string[] = ['write', 'tcp'];
const ORDERED = [
  ...WAYS.filter(({ id }) => FIRST.includes(id)).reverse(),
  ...WAYS.filter(({ id }) => !FIRST.includes(id)),
];

export default defineLab({
  id: 'latency',
  title: 'Latency of sockets and RDMA',
  question: 'How long is a round trip over UDP, TCP, SEND and WRITE, and how long are the slow ones?',
  summary:
    'A client and a server send one small message back and forth: over UDP sockets, TCP, RDMA SEND/RECV and RDMA WRITE. All transports take turns. You see their distributions in one chart, including the slowest 1 in 1,000.',
  track: 'sockets',
  order: 3,
  minutes: 5,
  params: latencyParams,
  rules: LATENCY_RULES,
  roles: [
    { name: 'client', title: 'Client', text: 'Sends a message and times the answer.' },
    { name: 'server', title: 'Server', text: 'Answers each message with one of the same size.' },
  ],
  watch: ['checks', 'verbs'],
  wants: ['link'],
  results: {
    figures: [
      ...ORDERED.map(({ id, title }) => ({ name: id, label: title, unit: 'µs', text: WHOLE })),
      {
        name: 'half',
        label: 'Half a round trip of WRITE',
        unit: 'µs',
        text: 'What perftest prints as latency.',
      },
    ],
    tables: [
      {
        name: 'ways',
        label: 'Round trips',
        text: 'SEND/RECV and WRITE alone use the first link of the device: UDP sockets on the embedded one. Percentiles are of all rounds together; they are withheld if fewer than 10 round trips are slower. Lowest and highest are medians of single rounds.',
        columns: [
          { name: 'way', label: 'Transport' },
          { name: 'n', label: 'n' },
          { name: 'min', label: 'Minimum', unit: 'µs' },
          { name: 'p50', label: 'p50', unit: 'µs' },
          { name: 'lowest', label: 'Lowest p50', unit: 'µs' },
          { name: 'highest', label: 'Highest p50', unit: 'µs' },
          { name: 'half', label: 'Half of p50', unit: 'µs' },
          { name: 'p99', label: 'p99', unit: 'µs' },
          { name: 'p999', label: 'p99.9', unit: 'µs' },
          { name: 'max', label: 'Maximum', unit: 'µs' },
        ],
      },
    ],
    curves: [
      {
        name: 'distribution',
        label: 'Percentiles of the round trip',
        text: 'The median is at 2, p90 at 10, p99 at 100, p99.9 at 1,000. A line ends where fewer than 10 round trips are slower. The range spans the rounds.',
        x: { label: 'One in this many is slower', log: true },
        y: { label: 'Round trip', unit: 'µs', log: true },
        series: WAYS.map(({ id, title }) => ({ name: id, label: title })),
      },
    ],
  },
  predictions: [
    {
      kind: 'order',
      id: 'order',
      text: 'Order the four by their median round trip. RDMA uses UDP sockets here, if its device can and you do not choose shm.',
      ends: ['shortest', 'longest'],
      options: [
        { id: 'udp', text: 'UDP sockets' },
        { id: 'tcp', text: 'TCP' },
        { id: 'send', text: 'RDMA SEND/RECV' },
        { id: 'write', text: 'RDMA WRITE, both ends watch memory' },
      ],
    },
    {
      kind: 'number',
      id: 'tcp',
      text: 'How long is the median round trip over TCP?',
      unit: 'µs',
      figure: 'tcp',
    },
  ],
  variations: [
    {
      name: 'quick',
      title: 'Quick run',
      text: 'Two rounds of 0.1 s: enough for p99, not for the tail.',
      params: { duration: 100, repeat: 2 },
    },
    {
      name: 'polling',
      title: 'Both ends poll',
      text: 'No wake-ups, so round trips are shorter if each end has its own core.',
      params: { wait: 'poll' },
    },
    {
      name: 'large-messages',
      title: '16 KiB messages',
      text: 'Copies and packets now add to the cost of each message.',
      params: { size: 16_384 },
    },
    {
      name: 'tail',
      title: 'A longer look at the tail',
      text: 'Five times as many round trips; p99.99 takes 100,000.',
      params: { duration: 3000, repeat: 3 },
    },
  ],
  selfChecks: LATENCY_SELF_CHECKS,
  checks: [
    { id: 'samples', text: 'Every round trip is in its distribution exactly once.' },
    { id: 'rising', text: 'The percentiles of each transport rise.' },
    { id: 'answered', text: 'The server answered every message that the client counted.' },
    { id: 'bytes', text: 'What each end sent last over RDMA arrived at the other.' },
  ],
  run: runLatency,
});
