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
    'The same messages go over UDP, TCP, SEND and WRITE. You count the system calls and context switches of both processes per message, and see where the CPU copies the bytes.',
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
      text: 'Sends a message and waits for the answer, or for the completion of a WRITE.',
    },
    { name: 'server', title: 'Server', text: 'Answers each message. Does nothing while it is written to.' },
  ],
  watch: ['checks', 'verbs'],
  wants: ['link', 'engineCpu'],
  results: {
    figures: [
      ...WAYS.map(({ id, title }) => ({
        name: `${id}-calls`,
        label: `System calls, ${title}`,
        unit: 'per message',
        text: 'On the threads of program and device at both ends, without calls that found nothing. Counted under tracing.',
      })),
      ...WAYS.map(({ id, title }) => ({
        name: `${id}-switches`,
        label: `Context switches, ${title}`,
        unit: 'per message',
        text: 'On the threads of program and device at both ends, median of the rounds. Measured without tracing.',
      })),
    ],
    tables: [
      {
        name: 'ways',
        label: 'What one message costs both ends',
        text: 'Calls are counted under tracing; context switches and CPU time are measured without it. CPU time is that of small messages. The time per additional KiB is the slope between small and large messages. Lowest and highest are those of the rounds.',
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
        text: 'Per message, both ends together. Calls that come less than once in 50 messages are left out. Sleeps and wake-ups (futex, ppoll, epoll_wait) depend on timing and vary from run to run.',
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
      text: 'One round of 400 messages. It shows no spread, and counts calls over fewer messages.',
      params: { messages: 400, repeat: 1, counted: 100 },
    },
    {
      name: 'polling',
      title: 'Both ends poll',
      text: 'Programs no longer sleep, but poll: calls that find nothing take the place of sleeps. Of a WRITE the server’s device still has to wake up.',
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
    { id: 'sockets', text: 'In turns, each message over sockets takes a call to send and one to receive.' },
    { id: 'around', text: 'Through shared memory no message is sent or received by a socket call.' },
  ],
  run: runCopiesAndCalls,
});
