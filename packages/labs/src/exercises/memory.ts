import { formatBytes, formatCount } from '../base/format.js';
import { coveredBytes, ENTRY_BYTES, pagesOf, tableBytes } from '../formulas/page-table.js';
import { exercise } from './exercise.js';

const PAGE = 4096;
const HUGE = 2 * 1024 * 1024;
const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
const SIZES_KIB = [4, 8, 16, 32, 64, 128];

export const MEMORY = [
  exercise({
    id: 'translation-table',
    title: 'Pages and their translations',
    numbers: { gib: [1, 2, 4, 8, 16, 32, 64] },
    text: ({ gib }) =>
      `A program registers ${gib} GiB. Pages are 4 KiB, and the NIC needs an 8-byte entry for each. How many pages are pinned, and how large is the translation table?`,
    fields: [
      { kind: 'number', id: 'pages', label: 'Pages', answer: ({ gib }) => pagesOf(gib * GIB, PAGE) },
      {
        kind: 'number',
        id: 'table',
        label: 'Table',
        unit: 'B',
        answer: ({ gib }) => tableBytes(pagesOf(gib * GIB, PAGE)),
      },
    ],
    worked: ({ gib }) => {
      const pages = pagesOf(gib * GIB, PAGE);
      return [
        `${gib} GiB / 4 KiB = ${formatCount(gib * GIB)} B / ${formatCount(PAGE)} B = ${formatCount(pages)} pages.`,
        `${formatCount(pages)} × ${ENTRY_BYTES} B = ${formatCount(tableBytes(pages))} B = ${formatBytes(tableBytes(pages))}.`,
      ];
    },
    measure: { lab: 'registration-cost', text: 'See what registering pages costs.' },
  }),
  exercise({
    id: 'translation-cache',
    title: 'What a translation cache covers',
    numbers: { mib: [1, 2, 4, 8] },
    text: ({ mib }) =>
      `A NIC caches ${mib} MiB of translations, 8 bytes each. How much registered memory does that cover with pages of 4 KiB, and how much with huge pages of 2 MiB?`,
    fields: [
      {
        kind: 'number',
        id: 'small',
        label: 'With 4 KiB pages',
        unit: 'B',
        answer: ({ mib }) => coveredBytes(mib * MIB, PAGE),
      },
      {
        kind: 'number',
        id: 'huge',
        label: 'With 2 MiB pages',
        unit: 'B',
        answer: ({ mib }) => coveredBytes(mib * MIB, HUGE),
      },
    ],
    worked: ({ mib }) => [
      `${mib} MiB / 8 B = ${formatCount((mib * MIB) / ENTRY_BYTES)} entries.`,
      `× 4 KiB = ${formatBytes(coveredBytes(mib * MIB, PAGE))}.`,
      `× 2 MiB = ${formatBytes(coveredBytes(mib * MIB, HUGE))}: 512 times as much with the same cache.`,
    ],
    measure: { lab: 'registration-cost', text: 'Compare normal and huge pages.' },
  }),
  exercise({
    id: 'unaligned-buffer',
    title: 'A buffer that starts inside a page',
    numbers: { pages: [1, 2, 4, 16, 64], offset: [1, 64, 256, 1000, 2048, 4095] },
    text: ({ pages, offset }) =>
      `A buffer of ${formatBytes(pages * PAGE)} starts ${formatCount(offset)} B after the start of a page. ibv_reg_mr accepts it. How many pages does it pin?`,
    fields: [
      {
        kind: 'number',
        id: 'pinned',
        label: 'Pages pinned',
        answer: ({ pages, offset }) => pagesOf(pages * PAGE, PAGE, offset),
      },
    ],
    worked: ({ pages, offset }) => [
      `From the start of the first page to the end of the buffer: ${formatCount(offset)} + ${formatCount(pages * PAGE)} = ${formatCount(offset + pages * PAGE)} B.`,
      `/ ${formatCount(PAGE)} B, rounded up: ${pages + 1} pages, one more than an aligned buffer of the same length. No alignment is required.`,
    ],
    measure: { lab: 'registration-cost', text: 'Register buffers of many sizes.' },
  }),
  exercise({
    id: 'region-cache',
    title: 'Misses and hits of an MR cache',
    numbers: { kinds: { min: 2, max: 6 }, iterations: { min: 24, max: 120, step: 4 } },
    text: ({ kinds, iterations }) =>
      `A program sends ${iterations} messages. Their sizes repeat in this order: ${SIZES_KIB.slice(0, kinds).join(', ')} KiB. A cache keeps one memory region per size and evicts none. How often does it register memory, and how often does it find a region?`,
    fields: [
      { kind: 'number', id: 'misses', label: 'Misses', answer: ({ kinds }) => kinds },
      { kind: 'number', id: 'hits', label: 'Hits', answer: ({ kinds, iterations }) => iterations - kinds },
    ],
    worked: ({ kinds, iterations }) => [
      `Only the first message of each size misses: ${kinds} registrations.`,
      `All others hit: ${iterations} − ${kinds} = ${iterations - kinds}.`,
    ],
    measure: { lab: 'mr-cache', text: 'Count misses and hits, with eviction too.' },
  }),
  exercise({
    id: 'break-even',
    title: 'Register once, or copy each time?',
    numbers: { registration: { min: 30, max: 300, step: 10 }, copy: [0.7, 1.5, 3, 7, 13] },
    text: ({ registration, copy }) =>
      `Registering a buffer costs ${registration} µs, once. Copying a message into a buffer that is already registered costs ${copy} µs each time. After how many messages has registering cost less time in total than copying?`,
    fields: [
      {
        kind: 'number',
        id: 'messages',
        label: 'Messages',
        answer: ({ registration, copy }) => Math.floor(registration / copy) + 1,
      },
    ],
    worked: ({ registration, copy }) => [
      `Copying n messages costs n × ${copy} µs; it costs as much as registering at n = ${registration} / ${copy} = ${(registration / copy).toFixed(2)}.`,
      `The first whole n above it is ${Math.floor(registration / copy) + 1}.`,
    ],
    measure: { lab: 'register-or-copy', text: 'Measure both costs on this host.' },
  }),
];
