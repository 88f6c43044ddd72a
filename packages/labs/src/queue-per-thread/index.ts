import { defineLab } from '../form/define.js';
import { QUEUE_PER_THREAD_RULES, queuePerThreadParams } from './params.js';
import { QUEUE_PER_THREAD_SELF_CHECKS } from './questions.js';
import { runQueuePerThread } from './run.js';

const THREADS = { label: 'Threads', log: true };
const SERIES = [
  { name: 'own', label: 'A QP and a CQ for each thread' },
  { name: 'shared', label: 'One QP and one CQ, with a lock' },
];

export default defineLab({
  id: 'queue-per-thread',
  title: 'Queues per thread, or shared',
  question: 'Should threads share a queue pair?',
  summary:
    'Several threads of a client send small WRITEs, first with their own queue pairs and completion queues, then sharing one of each under a lock. You see message rate, CPU time, and the time that threads wait for each other.',
  track: 'completions',
  order: 7,
  minutes: 5,
  params: queuePerThreadParams,
  rules: QUEUE_PER_THREAD_RULES,
  roles: [
    { name: 'client', title: 'Client', text: 'Its threads post WRITEs and poll for completions.' },
    { name: 'server', title: 'Server', text: 'Registers the memory. Makes no call during the transfers.' },
  ],
  watch: ['verbs', 'problems', 'checks'],
  results: {
    figures: [
      { name: 'one', label: 'One thread', unit: 'k msg/s' },
      { name: 'own', label: 'All threads, own queues', unit: 'k msg/s' },
      { name: 'shared', label: 'All threads, shared queues', unit: 'k msg/s' },
      { name: 'own-cpu', label: 'CPU time per message, own queues', unit: 'ns' },
      { name: 'shared-cpu', label: 'CPU time per message, shared queues', unit: 'ns' },
      { name: 'one-post', label: 'One ibv_post_send, one thread', unit: 'ns' },
      {
        name: 'own-post',
        label: 'One ibv_post_send, all threads, own queues',
        unit: 'ns',
        text: 'Wall-clock time. If a thread loses its CPU during the call, the wait for the CPU counts too.',
      },
      { name: 'wait', label: 'Wait for the lock per message', unit: 'ns' },
      {
        name: 'waiting',
        label: 'Time spent waiting for the lock',
        unit: '%',
        text: 'Share of the time of all threads together.',
      },
      {
        name: 'held',
        label: 'Share of time that the lock was held',
        unit: '%',
        text: 'Includes polls that find nothing. At 100 %, another thread adds only waiting.',
      },
      {
        name: 'foreign',
        label: 'Completions polled by another thread',
        unit: '%',
        text: 'With shared queues. With own queues there are none.',
      },
      { name: 'cpus', label: 'CPUs of the client', text: 'CPUs that its threads may run on.' },
    ],
    tables: [
      {
        name: 'settings',
        label: 'By number of threads',
        text: 'Medians of the repetitions.',
        columns: [
          { name: 'queues', label: 'Queues' },
          { name: 'threads', label: 'Threads' },
          { name: 'rate', label: 'Message rate', unit: 'k msg/s' },
          { name: 'cpu', label: 'CPU time per message', unit: 'ns' },
          { name: 'post', label: 'One ibv_post_send', unit: 'ns' },
          { name: 'wait', label: 'Wait for the lock per message', unit: 'ns' },
        ],
      },
    ],
    curves: [
      {
        name: 'rate',
        label: 'Message rate by threads',
        text: 'Medians; the range spans the repetitions.',
        x: THREADS,
        y: { label: 'Message rate', unit: 'k msg/s' },
        series: SERIES,
      },
      {
        name: 'cpu',
        label: 'CPU time per message by threads',
        text: 'Application, NIC work and kernel of the client. Threads that poll use their CPU whether messages move or not.',
        x: THREADS,
        y: { label: 'CPU time', unit: 'ns' },
        series: SERIES,
      },
      {
        name: 'post',
        label: 'Time of one ibv_post_send by threads',
        text: 'Without the wait for the program’s lock. With own queues, it grows by the wait for the device or for a CPU.',
        x: THREADS,
        y: { label: 'Time', unit: 'ns', log: true },
        series: SERIES,
      },
    ],
  },
  predictions: [
    {
      kind: 'choice',
      id: 'faster',
      text: 'Which queues carry more messages per second with all threads?',
      options: [
        { id: 'own', text: 'Own queues' },
        { id: 'shared', text: 'Shared queues' },
        { id: 'same', text: 'No clear difference' },
      ],
    },
    {
      kind: 'choice',
      id: 'scale',
      text: 'With own queues, do all threads together send more than one thread alone on this machine?',
      options: [
        { id: 'more', text: 'More' },
        { id: 'fewer', text: 'Fewer' },
        { id: 'same', text: 'No clear difference' },
      ],
    },
    {
      kind: 'number',
      id: 'waiting',
      text: 'What share of their time do threads with shared queues wait for the lock?',
      unit: '%',
      figure: 'waiting',
    },
  ],
  variations: [
    {
      name: 'quick',
      title: 'Two threads, quickly',
      params: { threads: 2, duration: 20, repeat: 3 },
    },
    {
      name: 'spinlock',
      title: 'A spinlock',
      text: 'Waiting threads keep their CPU. Watch the CPU time per message.',
      params: { lock: 'spin' },
    },
    {
      name: 'large-messages',
      title: '16 KiB messages',
      text: 'Does the lock still matter when each message moves much data?',
      params: { size: 16_384 },
    },
    {
      name: 'many-threads',
      title: '16 threads',
      text: 'More threads than many machines have CPUs.',
      params: { threads: 16, depth: 256 },
    },
    { name: 'udp', title: 'Over UDP', params: { link: 'udp' } },
  ],
  selfChecks: QUEUE_PER_THREAD_SELF_CHECKS,
  checks: [
    { id: 'same-work', text: 'Own and shared queues send the same messages, and all bytes arrive.' },
    {
      id: 'own',
      text: 'With own queues a thread polls only its own completions, and waits for no lock of the program.',
    },
    { id: 'exclusive', text: 'Only one thread at a time holds the lock of the shared queues.' },
    { id: 'contended', text: 'A single thread never waits for the lock. Several do.' },
  ],
  run: runQueuePerThread,
});
