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
    'A WRITE alone tells the target nothing. The server polls its memory or a counter, or gets a SEND or a WRITE with immediate, for which it polls or sleeps.',
  short: 'Notify a target',
  why: 'Each way trades latency, CPU time and guarantees.',
  buildsOn: ['write-imm', 'polling-events'],
  picture: { sample: 'write-imm', focus: ['server.memory', 'server.cq', 'server.program'] },
  track: 'verbs',
  minutes: 5,
  order: 3,
  params: notifyTargetParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Writes messages.' },
    { name: 'server', title: 'Server', text: 'Answers each message with a SEND.' },
  ],
  watch: ['completions', 'verbs', 'checks'],
  wants: ['faults'],
  results: {
    headline: { table: 'ways', columns: ['way', 'median', 'min', 'max', 'cpu'] },
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
        text: 'From post to answer; median of the medians. CPU time: the server’s process, pauses included.',
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
      text: 'How much CPU time per message does a sleeping server use, compared with one that polls its memory?',
      options: [
        { id: 'less', text: 'Less, beyond the spread' },
        { id: 'same', text: 'No clear difference' },
        { id: 'more', text: 'More, beyond the spread' },
      ],
    },
  ],
  variations: [
    { name: 'quick', title: 'Quick', params: { messages: 20, repeat: 2 } },
    {
      name: 'no-pause',
      title: 'No pause between messages',
      text: 'If messages come back to back, sleeping saves little.',
      params: { pause: 0 },
    },
    {
      name: 'large',
      title: '64 KiB messages',
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
      text: 'Notified by a counter, a SEND or an immediate, the server has the whole message.',
    },
  ],
  run: runNotifyTarget,
});
