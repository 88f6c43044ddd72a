import { defineLab } from '../form/define.js';
import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { mrCacheParams } from './params.js';
import { runMrCache } from './run.js';

export default defineLab({
  id: 'mr-cache',
  title: 'A cache of memory regions',
  question: 'How many registrations does a cache of memory regions save?',
  summary:
    'A client writes messages of 4, 8, 16 and 32 KiB from four buffers, in turn. A cache keeps the buffers registered, up to its capacity.',
  short: 'Cache of regions',
  why: 'Room for three of four buffers can give no hit at all.',
  buildsOn: ['registration-cost'],
  picture: { sample: 'write', focus: ['client.memory', 'client.device'] },
  track: 'memory',
  minutes: 5,
  order: 3,
  params: mrCacheParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Registers its buffers as needed, and writes.' },
    { name: 'server', title: 'Server', text: 'Registers memory once, then makes no calls.' },
  ],
  watch: ['verbs', 'checks'],
  results: {
    figures: [
      { name: 'hits', label: 'Hits', text: 'The message’s buffer was already registered.' },
      { name: 'misses', label: 'Misses', text: 'Each one is a registration.' },
      { name: 'evictions', label: 'Evictions', text: 'Each one is a deregistration.' },
      { name: 'hit-rate', label: 'Hit rate', unit: '%' },
      { name: 'hit-time', label: 'A hit', unit: 'µs', text: 'Median of the messages of a round.' },
      {
        name: 'miss-time',
        label: 'A miss',
        unit: 'µs',
        text: 'Registration, and deregistration of the evicted region.',
      },
      {
        name: 'with-cache',
        label: 'All messages, with the cache',
        unit: 'µs',
        text: 'Time to get registered memory, without the WRITEs: sum of the messages’ medians.',
      },
      {
        name: 'without',
        label: 'All messages, without the cache',
        unit: 'µs',
        text: 'Registration before every message and deregistration after it.',
      },
    ],
    tables: [
      {
        name: 'messages',
        label: 'Messages',
        text: 'Times are medians of the rounds.',
        columns: [
          { name: 'message', label: 'Message' },
          { name: 'length', label: 'Buffer', unit: 'B' },
          { name: 'found', label: 'Cache' },
          { name: 'evicted', label: 'Evicted' },
          { name: 'prepare', label: 'Get registered memory', unit: 'µs' },
          { name: 'transfer', label: 'WRITE', unit: 'µs' },
        ],
      },
    ],
    curves: [
      {
        name: 'sum',
        label: 'Time spent on registration so far',
        x: { label: 'Message' },
        y: { label: 'Sum', unit: 'µs' },
        series: [
          { name: 'cache', label: 'With the cache' },
          { name: 'none', label: 'Register for each message' },
        ],
      },
    ],
  },
  predictions: [
    {
      kind: 'number',
      id: 'hits',
      text: 'How many of the messages find their buffer registered?',
      figure: 'hits',
    },
    {
      kind: 'choice',
      id: 'pays',
      text: 'Compared with registering for every message, the time spent on registration with this cache is…',
      options: [
        { id: 'faster', text: 'Lower' },
        { id: 'same', text: 'No clear difference' },
        { id: 'slower', text: 'Higher' },
      ],
    },
  ],
  variations: [
    {
      name: 'one-short',
      title: 'Room for three of four',
      text: 'The cache is one region too small. Predict the hits first.',
      params: { capacity: 3 },
    },
    {
      name: 'mru',
      title: 'Three, evict the most recent',
      text: 'Only the choice of the victim differs.',
      params: { capacity: 3, eviction: 'mru' },
    },
    {
      name: 'random',
      title: 'Three, random order',
      text: 'Without a cycle, LRU hits about seven times in ten in 40 messages.',
      params: { capacity: 3, order: 'random' },
    },
    { name: 'none', title: 'No cache', text: 'Every message registers.', params: { capacity: 0 } },
  ],
  selfChecks: [
    numberCheck({
      id: 'short',
      numbers: { buffers: [4, 6, 8], messages: { min: 40, max: 400, step: 20 } },
      text: ({ buffers, messages }) =>
        `${messages} messages use ${buffers} buffers in turn. The cache holds ${buffers - 1} and evicts the least recently used. How many hit?`,
      answer: () => 0,
      tolerance: 0,
      worked: () => '0. When a buffer’s turn comes, it was the last one evicted.',
    }),
    choiceCheck({
      id: 'stale',
      text: 'A program frees a buffer and gets new memory at the same address. The cache still has its region. What does a NIC send?',
      options: [
        { id: 'old', text: 'The old pages, which the region still pins' },
        { id: 'new', text: 'The new bytes' },
        { id: 'error', text: 'Nothing: the completion has an error' },
      ],
      answer: 'old',
      worked: 'Registration fixed the translation. The cache must drop a region when its memory is freed.',
    }),
  ],
  checks: [
    { id: 'counted', text: 'Every message is a hit or a miss.' },
    { id: 'expected', text: 'The number of misses is the computed one.' },
    { id: 'bounded', text: 'The cache holds no more regions than its capacity.' },
    { id: 'returned', text: 'At the end every region is deregistered.' },
    { id: 'bytes', text: 'The server’s memory holds the client’s bytes.' },
  ],
  wants: ['pinned', 'link'],
  run: runMrCache,
});
