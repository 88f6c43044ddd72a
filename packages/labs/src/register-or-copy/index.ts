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
    'A client writes messages from a buffer that is not registered: it registers it once, registers it for every message, or copies every message into registered memory.',
  short: 'Register or copy',
  why: 'A copy can be cheaper than zero copy.',
  buildsOn: ['registration-cost'],
  picture: { sample: 'write', focus: ['client.memory', 'client.program'] },
  track: 'memory',
  minutes: 5,
  order: 2,
  params: registerOrCopyParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Prepares each message, and writes it.' },
    { name: 'server', title: 'Server', text: 'Registers memory once.' },
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
        text: 'Smallest n with n × copy > register + n × find; none if find ≥ copy.',
      },
      {
        name: 'crossing',
        label: 'Message at which the sums crossed',
        text: 'Sums of medians, with first registration and lookups. None if they did not cross.',
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
      text: 'Both grow with the size.',
      params: { size: 1024 * KIB },
    },
  ],
  selfChecks: [
    numberCheck({
      id: 'break-even',
      numbers: { register: [21, 34, 55, 89], copy: [2, 4, 5] },
      text: ({ register, copy }) =>
        `Registering and deregistering takes ${register} µs, a copy ${copy} µs, and finding the registered buffer next to nothing. From how many messages on is registering once cheaper?`,
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
        { id: 'copy', text: 'Copy them into registered memory' },
        { id: 'register', text: 'Register every buffer' },
        { id: 'cache', text: 'Keep every buffer registered' },
      ],
      answer: 'copy',
      worked:
        'A copy of 256 B takes tens of nanoseconds, a registration microseconds. Buffers that are never used again gain nothing from a cache.',
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
