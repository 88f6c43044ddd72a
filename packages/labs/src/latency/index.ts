import { defineLab } from '../form/define.js';
import { LATENCY_RULES, latencyParams } from './params.js';
import { LATENCY_SELF_CHECKS } from './questions.js';
import { runLatency } from './run.js';
import { WAYS } from '../load/ways.js';

const WHOLE = 'Median of the rounds’ medians. The p50 of the table is of all round trips.';

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
    'A client and a server send a small message back and forth, over four transports in turn. You see their distributions, with the slowest 1 in 1,000.',
  short: 'Latency',
  why: 'Locks, lookups and small messages wait for round trips, not bandwidth.',
  buildsOn: ['bulk'],
  picture: { sample: 'small-write', focus: ['client.program', 'wire', 'server.program'] },
  track: 'sockets',
  order: 3,
  minutes: 5,
  params: latencyParams,
  rules: LATENCY_RULES,
  roles: [
    { name: 'client', title: 'Client', text: 'Sends a message and times the answer.' },
    { name: 'server', title: 'Server', text: 'Answers with one of the same size.' },
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
        text: 'SEND/RECV and WRITE alone use the device’s first link: UDP sockets on the embedded one.',
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
        text: 'The range spans the rounds. A line ends where fewer than 10 are slower.',
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
      params: { duration: 100, repeat: 2 },
    },
    {
      name: 'polling',
      title: 'Both ends poll',
      text: 'Round trips are shorter if each end has its own core.',
      params: { wait: 'poll' },
    },
    {
      name: 'large-messages',
      title: '16 KiB messages',
      params: { size: 16_384 },
    },
    {
      name: 'tail',
      title: 'A longer look at the tail',
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
