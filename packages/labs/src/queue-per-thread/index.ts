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
    'Threads of a client send small WRITEs, first with their own queue pairs and completion queues, then sharing one of each under a lock. You see rates and CPU time.',
  short: 'Queue per thread',
  why: 'A server with many threads must decide who owns which queue.',
  buildsOn: ['post-lists', 'polling-events'],
  picture: { sample: 'many-writes', focus: ['client.program', 'client.sq', 'client.cq'] },
  track: 'completions',
  order: 7,
  minutes: 5,
  params: queuePerThreadParams,
  rules: QUEUE_PER_THREAD_RULES,
  roles: [
    { name: 'client', title: 'Client', text: 'Its threads post WRITEs and poll.' },
    { name: 'server', title: 'Server', text: 'Makes no call meanwhile.' },
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
        text: 'Wall-clock time: a wait for the CPU during the call counts too.',
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
        text: 'The client’s application, NIC work and kernel. Polling uses the CPU even without messages.',
        x: THREADS,
        y: { label: 'CPU time', unit: 'ns' },
        series: SERIES,
      },
      {
        name: 'post',
        label: 'Time of one ibv_post_send by threads',
        text: 'Without waits for the program’s lock, but with those for the device or CPU.',
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
      text: 'With own queues, do all threads together send more than one alone?',
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
      text: 'Waiting threads keep their CPU.',
      params: { lock: 'spin' },
    },
    {
      name: 'large-messages',
      title: '16 KiB messages',
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
      text: 'With own queues each completion reaches the thread that posted its request.',
    },
    { id: 'exclusive', text: 'Together, threads hold the lock no longer than the transfer takes.' },
    { id: 'contended', text: 'A single thread never waits for the lock. Several do.' },
  ],
  run: runQueuePerThread,
});
