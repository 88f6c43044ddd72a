import { defineLab } from '../form/define.js';
import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { breakEven } from './break-even.js';
import { registerOrCopyParams } from './params.js';
import { runRegisterOrCopy } from './run.js';

const KIB = 1024;

export default defineLab({
  id: 'register-or-copy',
  title: 'Register the buffer, or copy it?',
  question: 'When does registering a buffer pay off, compared with copying it?',
  summary:
    'A client writes messages from a buffer that is not registered. It registers the buffer once, registers it for every message, or copies every message into memory that is already registered.',
  track: 'memory',
  minutes: 5,
  order: 2,
  params: registerOrCopyParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Prepares each message in three ways, and writes it.' },
    { name: 'server', title: 'Server', text: 'Registers memory once, then makes no calls.' },
  ],
  watch: ['verbs', 'checks'],
  results: {
    figures: [
      {
        name: 'register',
        label: 'Register and deregister',
        unit: 'µs',
        text: 'Median per message, without the WRITE.',
      },
      {
        name: 'copy',
        label: 'Copy',
        unit: 'µs',
        text: 'The buffer stays in the CPU’s cache here: a copy of cold memory takes longer.',
      },
      {
        name: 'reuse',
        label: 'Find the registered buffer',
        unit: 'µs',
        text: 'The lookup of its address in the table of registered buffers.',
      },
      {
        name: 'break-even',
        label: 'Break-even',
        unit: 'messages',
        text: 'The smallest n with n × copy > register + n × find. No value if finding takes at least as long as the copy.',
      },
      {
        name: 'crossing',
        label: 'Message at which the sums crossed',
        text: 'Sums of medians over the rounds, including the first registration and the lookups. No value if they did not cross in this run.',
      },
    ],
    tables: [
      {
        name: 'sizes',
        label: 'Sizes',
        text: 'Medians per message. Break-even is computed: floor(register / (copy − find)) + 1.',
        columns: [
          { name: 'size', label: 'Message', unit: 'B' },
          { name: 'copy', label: 'Copy', unit: 'µs' },
          { name: 'register', label: 'Register and deregister', unit: 'µs' },
          { name: 'find', label: 'Find', unit: 'µs' },
          { name: 'break-even', label: 'Break-even', unit: 'messages' },
        ],
      },
    ],
    curves: [
      {
        name: 'sum',
        label: 'Time spent on preparation so far',
        text: 'Register once: without the deregistration at the end. WRITEs are not included.',
        x: { label: 'Message' },
        y: { label: 'Sum', unit: 'µs', log: true },
        series: [
          { name: 'once', label: 'Register once' },
          { name: 'copy', label: 'Copy each' },
          { name: 'each', label: 'Register each' },
        ],
      },
      {
        name: 'size',
        label: 'Preparation of one message',
        x: { label: 'Message', unit: 'B', log: true },
        y: { label: 'Time', unit: 'µs', log: true },
        series: [
          { name: 'copy', label: 'Copy' },
          { name: 'each', label: 'Register and deregister' },
        ],
      },
    ],
  },
  predictions: [
    {
      kind: 'number',
      id: 'break-even',
      text: 'From how many messages on does registering the buffer once pay off?',
      unit: 'messages',
      figure: 'break-even',
    },
    {
      kind: 'order',
      id: 'order',
      text: 'Which method spends the least time on preparing all messages?',
      ends: ['least', 'most'],
      options: [
        { id: 'once', text: 'Register once' },
        { id: 'copy', text: 'Copy each message' },
        { id: 'each', text: 'Register for each message' },
      ],
    },
  ],
  variations: [
    {
      name: 'small',
      title: '4 KiB messages',
      text: 'The call costs far more than the copy.',
      params: { size: 4 * KIB },
    },
    {
      name: 'large',
      title: '1 MiB messages',
      text: 'Both grow with the size. Look at the break-even.',
      params: { size: 1024 * KIB },
    },
  ],
  selfChecks: [
    numberCheck({
      id: 'break-even',
      numbers: { register: [21, 34, 55, 89], copy: [2, 4, 5] },
      text: ({ register, copy }) =>
        `Registering and deregistering a buffer takes ${register} µs, copying it takes ${copy} µs, and finding the registered buffer takes next to nothing. From how many messages on is registering once cheaper?`,
      answer: ({ register, copy }) => breakEven(register, copy)!,
      unit: 'messages',
      tolerance: 0,
      worked: ({ register, copy }) =>
        `${register} µs / ${copy} µs = ${(register / copy).toFixed(2)}. The next whole number is ${breakEven(register, copy)!}.`,
    }),
    choiceCheck({
      id: 'small-messages',
      text: 'A library sends messages of 256 B from buffers that it sees only once. What should it do?',
      options: [
        { id: 'copy', text: 'Copy them into memory that it registered at the start' },
        { id: 'register', text: 'Register every buffer: zero copy is always faster' },
        { id: 'cache', text: 'Keep every buffer registered' },
      ],
      answer: 'copy',
      worked:
        'A copy of 256 B takes tens of nanoseconds, but a registration takes microseconds. Buffers that are never used again gain nothing from a cache, and keep memory pinned.',
    }),
  ],
  checks: [
    { id: 'once', text: 'Register once: one registration per round.' },
    { id: 'copy', text: 'Copy: no registration.' },
    { id: 'each', text: 'Register each: one registration per message.' },
    { id: 'bytes', text: 'The server’s memory holds the client’s bytes.' },
  ],
  wants: ['link'],
  run: runRegisterOrCopy,
});
