import { defineLab } from '../form/define.js';
import { numberCheck } from '../form/self-checks.js';
import { coveredBytes, ENTRY_BYTES, pagesOf, tableBytes } from '../formulas/page-table.js';
import { registrationCostParams } from './params.js';
import { runRegistrationCost } from './run.js';

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;
const PAGE = 4 * KIB;

export default defineLab({
  id: 'registration-cost',
  title: 'The cost of registering memory',
  question: 'What does it cost to register memory?',
  summary:
    'A program registers buffers of 4 KiB and more. It measures each call on untouched pages, and then on the same pages again.',
  short: 'Registration',
  why: 'Programs that register per message pay this every time.',
  buildsOn: ['minimal-flow'],
  picture: { sample: 'write', focus: ['client.memory', 'client.device', 'client.kernel'] },
  track: 'memory',
  minutes: 5,
  order: 1,
  params: registrationCostParams,
  rules: [
    {
      param: 'largest',
      bound: 'at-most',
      of: { device: 'maxMrSize' },
      why: 'The device registers no larger region (max_mr_size).',
    },
  ],
  roles: [{ name: 'program', title: 'Program', text: 'Registers and deregisters its memory.' }],
  watch: ['checks'],
  results: {
    figures: [
      { name: 'fixed', label: 'Registering one touched page', unit: 'µs' },
      {
        name: 'per-page-touched',
        label: 'Each further page, touched',
        unit: 'ns',
        text: '(time − time of one page) / (pages − 1), for every size; the median of the sizes.',
      },
      { name: 'per-page-untouched', label: 'Each further page, untouched', unit: 'ns' },
      {
        name: 'ratio',
        label: 'Untouched / touched, per page',
        text: 'At its first access the kernel finds and clears a page; registration only hastens this.',
      },
      { name: 'largest-touched', label: 'Registering the largest buffer, touched', unit: 'ms' },
      { name: 'largest-untouched', label: 'Registering the largest buffer, untouched', unit: 'ms' },
      { name: 'pages', label: 'Pages of the largest buffer' },
      {
        name: 'table',
        label: 'Translations of the largest buffer',
        unit: 'B',
        text: 'Computed, not measured: pages × 8 B, as a NIC needs.',
      },
      { name: 'limit', label: 'RLIMIT_MEMLOCK', unit: 'B' },
    ],
    tables: [
      {
        name: 'sizes',
        label: 'Registrations',
        text: 'Medians of the rounds. Translations are computed: pages × 8 B.',
        columns: [
          { name: 'size', label: 'Buffer', unit: 'B' },
          { name: 'pages', label: 'Pages' },
          { name: 'table', label: 'Translations', unit: 'B' },
          { name: 'untouched', label: 'Register, untouched', unit: 'µs' },
          { name: 'touched', label: 'Register, touched', unit: 'µs' },
          { name: 'deregister', label: 'Deregister', unit: 'µs' },
          { name: 'faults', label: 'Page faults, untouched' },
          { name: 'locked', label: 'Locked', unit: 'B' },
        ],
      },
      {
        name: 'tables',
        label: 'Translation tables',
        text: 'Computed: buffer / page × 8 B.',
        columns: [
          { name: 'size', label: 'Buffer', unit: 'B' },
          { name: 'page', label: 'Page', unit: 'B' },
          { name: 'pages', label: 'Entries' },
          { name: 'table', label: 'Table', unit: 'B' },
        ],
      },
    ],
    curves: [
      {
        name: 'cost',
        label: 'Time of one call',
        text: 'Flat on the left: the call itself. Straight on the right: the pages.',
        x: { label: 'Buffer', unit: 'B', log: true },
        y: { label: 'Time', unit: 'µs', log: true },
        series: [
          { name: 'untouched', label: 'Register, untouched' },
          { name: 'touched', label: 'Register, touched' },
          { name: 'deregister', label: 'Deregister' },
          { name: 'huge', label: 'Allocate and register in huge pages' },
        ],
      },
      {
        name: 'translations',
        label: 'Translations (computed)',
        x: { label: 'Buffer', unit: 'B', log: true },
        y: { label: 'Table', unit: 'B', log: true },
      },
    ],
  },
  predictions: [
    {
      kind: 'choice',
      id: 'untouched',
      text: 'A program registers a large buffer that it has never accessed, then the same buffer again. Which call is faster?',
      options: [
        { id: 'same', text: 'Neither' },
        { id: 'untouched', text: 'The first: the buffer has no pages yet' },
        { id: 'touched', text: 'The second: the pages exist by now' },
      ],
    },
    {
      kind: 'choice',
      id: 'sixteen',
      text: 'A buffer is 16 times as large. How much longer does its registration take?',
      options: [
        { id: 'same', text: 'No longer' },
        { id: 'four', text: 'About 4 times as long' },
        { id: 'sixteen', text: 'About 16 times as long' },
      ],
    },
    {
      kind: 'number',
      id: 'per-page',
      text: 'How long does one more page take, if it already exists?',
      unit: 'ns',
      figure: 'per-page-touched',
    },
  ],
  variations: [
    {
      name: 'one-gib',
      title: 'Up to 1 GiB',
      text: '262,144 pages.',
      params: { largest: GIB, rounds: 3 },
    },
    {
      name: 'small',
      title: 'Small buffers',
      text: 'The call itself is a large part of the time.',
      params: { largest: 64 * KIB },
    },
  ],
  selfChecks: [
    numberCheck({
      id: 'table',
      numbers: { gibibytes: [1, 2, 4, 8, 16] },
      text: ({ gibibytes }) =>
        `A region has ${gibibytes} GiB in pages of 4 KiB. How many MiB do its translations take, at ${ENTRY_BYTES} B each?`,
      answer: ({ gibibytes }) => tableBytes(pagesOf(gibibytes * GIB, PAGE)) / MIB,
      unit: 'MiB',
      tolerance: 0,
      worked: ({ gibibytes }) => {
        const pages = pagesOf(gibibytes * GIB, PAGE);
        return `${gibibytes} GiB / 4 KiB = ${pages} pages. ${pages} × 8 B = ${tableBytes(pages) / MIB} MiB.`;
      },
    }),
    numberCheck({
      id: 'covered',
      numbers: { mebibytes: [1, 2, 4, 8] },
      text: ({ mebibytes }) =>
        `A NIC keeps ${mebibytes} MiB of translations on the chip. How many GiB of memory in pages of 4 KiB do they cover?`,
      answer: ({ mebibytes }) => coveredBytes(mebibytes * MIB, PAGE) / GIB,
      unit: 'GiB',
      tolerance: 0,
      worked: ({ mebibytes }) =>
        `${mebibytes} MiB / 8 B = ${(mebibytes * MIB) / ENTRY_BYTES} entries. Times 4 KiB: ${coveredBytes(mebibytes * MIB, PAGE) / GIB} GiB.`,
    }),
  ],
  checks: [
    { id: 'faults', text: 'Registering untouched memory creates each of its pages once.' },
    { id: 'no-faults', text: 'Registering touched memory creates no pages.' },
    { id: 'locked', text: 'Every page of a region is locked, as far as the limit allows.' },
    { id: 'unaligned', text: 'A page-sized buffer that is not page-aligned locks one more page.' },
    { id: 'grows', text: 'A larger region takes longer to register.' },
    { id: 'limit', text: 'No more memory is locked than RLIMIT_MEMLOCK allows.' },
  ],
  run: runRegistrationCost,
});
