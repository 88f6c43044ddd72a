import { defineLab } from '../form/define.js';
import { WAYS } from '../load/ways.js';
import { COPIES_AND_CALLS_RULES, copiesAndCallsParams } from './params.js';
import { COPIES_AND_CALLS_SELF_CHECKS } from './questions.js';
import { runCopiesAndCalls } from './run.js';

export default defineLab({
  id: 'copies-and-calls',
  title: 'Copies and system calls',
  question: 'What does the kernel do for each message, over sockets and over verbs?',
  summary:
    'The same messages go over UDP, TCP, SEND and WRITE. You count system calls and context switches per message, and see where the CPU copies.',
  short: 'Copies and calls',
  why: 'Two calls per message can keep a whole core busy.',
  buildsOn: ['minimal-flow'],
  picture: { sample: 'write', focus: ['client.program', 'client.kernel', 'server.kernel', 'wire'] },
  track: 'foundations',
  minutes: 5,
  withoutProgram:
    'Its counts come from a tracer outside of the programs. To count the calls of another lab’s program, run it under strace -f -c.',
  params: copiesAndCallsParams,
  rules: COPIES_AND_CALLS_RULES,
  roles: [
    {
      name: 'client',
      title: 'Client',
      text: 'Sends, and waits for the answer or completion.',
    },
    { name: 'server', title: 'Server', text: 'Answers. Does nothing while it is written to.' },
  ],
  watch: ['checks', 'verbs'],
  wants: ['link', 'engineCpu'],
  results: {
    headline: { table: 'ways', columns: ['way', 'program', 'device', 'switches'] },
    figures: [
      ...WAYS.map(({ id, title }) => ({
        name: `${id}-calls`,
        label: `System calls, ${title}`,
        unit: 'per message',
        text: 'Threads of program and device, both ends, without calls that found nothing. Under tracing.',
      })),
      ...WAYS.map(({ id, title }) => ({
        name: `${id}-switches`,
        label: `Context switches, ${title}`,
        unit: 'per message',
        text: 'Threads of program and device, both ends, median of the rounds. Without tracing.',
      })),
    ],
    tables: [
      {
        name: 'ways',
        label: 'What one message costs both ends',
        text: 'Calls under tracing, the rest without. CPU time: of small messages, then per additional KiB.',
        columns: [
          { name: 'way', label: 'Transport' },
          { name: 'program', label: 'System calls on the program’s threads' },
          { name: 'device', label: 'System calls on the device’s threads' },
          { name: 'switches', label: 'Context switches' },
          { name: 'cpu', label: 'CPU time', unit: 'µs' },
          { name: 'lowest', label: 'Lowest', unit: 'µs' },
          { name: 'highest', label: 'Highest', unit: 'µs' },
          { name: 'kib', label: 'CPU time per additional KiB', unit: 'ns' },
          { name: 'kibLowest', label: 'Lowest', unit: 'ns' },
          { name: 'kibHighest', label: 'Highest', unit: 'ns' },
        ],
      },
      {
        name: 'copies',
        label: 'Copies of the bytes by the CPU',
        text: 'A model of the data path, not a measurement.',
        columns: [
          { name: 'way', label: 'Transport' },
          { name: 'copies', label: 'Copies' },
          { name: 'where', label: 'From → to' },
        ],
      },
      {
        name: 'calls',
        label: 'System calls, one by one',
        text: 'Both ends together, without rare calls. Sleeps and wake-ups depend on timing.',
        columns: [
          { name: 'way', label: 'Transport' },
          { name: 'part', label: 'Threads of' },
          { name: 'call', label: 'Call' },
          { name: 'done', label: 'Per message' },
          { name: 'empty', label: 'Found nothing' },
        ],
      },
    ],
  },
  predictions: [
    {
      kind: 'number',
      id: 'tcp',
      text: 'How many system calls does one TCP message need, both ends together?',
      unit: 'per message',
      figure: 'tcp-calls',
    },
    {
      kind: 'number',
      id: 'switches',
      text: 'How many context switches does one TCP message cause, both ends together?',
      unit: 'per message',
      figure: 'tcp-switches',
    },
  ],
  variations: [
    {
      name: 'quick',
      title: 'Quick run',
      text: 'It shows no spread.',
      params: { messages: 400, repeat: 1, counted: 100 },
    },
    {
      name: 'polling',
      title: 'Both ends poll',
      text: 'Calls that find nothing take the place of sleeps.',
      params: { wait: 'poll' },
    },
    {
      name: 'largest',
      title: 'A large message of 32 KiB',
      text: 'Does the cost per KiB stay the same?',
      params: { large: 32_768 },
    },
  ],
  selfChecks: COPIES_AND_CALLS_SELF_CHECKS,
  checks: [
    { id: 'same', text: 'Every transport carried as many messages, and what RDMA sent is there.' },
    { id: 'sockets', text: 'Each message over sockets takes a call to send and one to receive.' },
    { id: 'around', text: 'Through shared memory no socket call sends or receives a message.' },
  ],
  run: runCopiesAndCalls,
});
