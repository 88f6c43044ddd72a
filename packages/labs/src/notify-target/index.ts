import { medianColumns } from '../form/common-results.js';
import { defineLab } from '../form/define.js';
import { notifyTargetParams } from './params.js';
import { NOTIFY_TARGET_QUESTIONS } from './questions.js';
import { runNotifyTarget } from './run.js';
import { WAYS } from './ways.js';

export default defineLab({
  id: 'notify-target',
  title: 'Notifying the target',
  question: 'How does the target of a WRITE learn that data has arrived?',
  summary:
    'A WRITE alone tells the target nothing. The server polls its memory, polls a counter, or gets a SEND or a WRITE with immediate, for which it polls or sleeps. You see the latency and the server’s CPU time for each.',
  track: 'verbs',
  minutes: 5,
  order: 3,
  params: notifyTargetParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Writes messages and waits for an answer to each.' },
    { name: 'server', title: 'Server', text: 'Notices each message and answers it with a SEND.' },
  ],
  watch: ['completions', 'verbs', 'checks'],
  wants: ['faults'],
  results: {
    figures: [
      { name: 'alone', label: 'Completions at the server after a WRITE alone' },
      { name: 'memory-time', label: 'Round trip, server polls its memory', unit: 'µs' },
      { name: 'imm-time', label: 'Round trip, WRITE_WITH_IMM and a polling server', unit: 'µs' },
      { name: 'sleep-time', label: 'Round trip, WRITE_WITH_IMM and a sleeping server', unit: 'µs' },
      { name: 'memory-cpu', label: 'CPU time, server polls its memory, per message', unit: 'µs' },
      { name: 'sleep-cpu', label: 'CPU time, WRITE_WITH_IMM and a sleeping server, per message', unit: 'µs' },
    ],
    tables: [
      {
        name: 'ways',
        label: 'Four ways to notify the target, two of them also with a sleeping server',
        text: 'The round trip goes from the post at the client to the server’s answer, which is the same SEND each time. The median is that of the repetitions’ medians; shortest and longest are of all n messages. CPU time is that of the server’s process, including pauses; on the embedded device it includes the NIC work. Both ends run in Node.js, which adds to every round trip.',
        columns: [
          { name: 'way', label: 'The server is notified by' },
          ...medianColumns('n', ['Shortest', 'Longest']),
          { name: 'cpu', label: 'Server’s CPU time per message', unit: 'µs' },
          { name: 'recv', label: 'Needs a RECV' },
          { name: 'ordered', label: 'Guarantees that the data is there' },
          { name: 'incomplete', label: 'Noticed too early' },
        ],
      },
    ],
    curves: [
      {
        name: 'distribution',
        label: 'Distribution of the round trips',
        text: 'All repetitions together, up to 95 %. The table covers the few slowest messages.',
        x: { label: 'Messages at most as slow', unit: '%' },
        y: { label: 'Round trip', unit: 'µs', log: true },
        series: WAYS.map(({ id, title }) => ({ name: id, label: title })),
      },
    ],
  },
  predictions: [
    {
      kind: 'choice',
      id: 'alone',
      text: 'A plain WRITE has completed at the client. What does the server’s completion queue hold?',
      options: [
        { id: 'nothing', text: 'Nothing' },
        { id: 'completion', text: 'A completion for the WRITE' },
      ],
    },
    {
      kind: 'choice',
      id: 'cpu',
      text: 'How much CPU time does a server that sleeps use per message, compared with one that polls its memory?',
      options: [
        { id: 'less', text: 'Less, beyond the spread' },
        { id: 'same', text: 'No clear difference' },
        { id: 'more', text: 'More, beyond the spread' },
      ],
    },
  ],
  variations: [
    { name: 'quick', title: 'Quick', text: 'Two short repetitions.', params: { messages: 20, repeat: 2 } },
    {
      name: 'no-pause',
      title: 'No pause between messages',
      text: 'If messages come back to back, sleeping saves little.',
      params: { pause: 0 },
    },
    {
      name: 'large',
      title: '64 KiB messages',
      text: 'The transfer hides how the server is notified.',
      params: { size: 65_536 },
    },
    { name: 'through-udp', title: 'Through UDP sockets', params: { link: 'udp' } },
  ],
  selfChecks: NOTIFY_TARGET_QUESTIONS,
  checks: [
    { id: 'silent', text: 'A WRITE alone produces no completion at the server.' },
    { id: 'ack', text: 'The client gets no completion before the ACK, although the data is there.' },
    {
      id: 'whole',
      text: 'With a counter, a SEND or an immediate, the whole message is there when the server is notified.',
    },
  ],
  run: runNotifyTarget,
});
