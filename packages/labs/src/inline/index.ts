import { defineLab } from '../form/define.js';
import { choiceCheck, numberCheck } from '../form/self-checks.js';
import { inlineParams } from './params.js';
import { runInline } from './run.js';

const SERIES = [
  { name: 'gathered', label: 'Gathered from the buffer' },
  { name: 'inline', label: 'Inline' },
];
const SIZE = { label: 'Message size', unit: 'B', log: true };
const RATE = { label: 'Message rate', unit: 'k msg/s' };

export default defineLab({
  id: 'inline',
  title: 'Inline data',
  question: 'Is it better to copy small data into the request, or to let the device fetch it?',
  summary:
    'A client sends small WRITEs inline and gathered from a buffer, by size. Then it overwrites the buffer right after posting, and you see which bytes arrive.',
  short: 'Inline data',
  why: 'On a NIC, inline data saves one read over PCIe.',
  buildsOn: ['write-read', 'signal-every'],
  picture: { sample: 'small-write', focus: ['client.sq', 'client.memory', 'client.device'] },
  track: 'completions',
  order: 4,
  minutes: 5,
  params: inlineParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Posts WRITEs, inline and gathered.' },
    { name: 'server', title: 'Server', text: 'Makes no call during the transfers.' },
  ],
  watch: ['completions', 'verbs', 'problems', 'checks'],
  wants: ['faults'],
  results: {
    figures: [
      { name: 'gathered', label: '8 B, gathered', unit: RATE.unit },
      { name: 'inline', label: '8 B, inline', unit: RATE.unit },
      { name: 'clear', label: 'Sizes with a clear difference' },
    ],
    tables: [
      {
        name: 'sizes',
        label: 'Message rates',
        columns: [
          { name: 'size', label: 'Size', unit: 'B' },
          { name: 'gathered', label: 'Gathered', unit: RATE.unit },
          { name: 'inline', label: 'Inline', unit: RATE.unit },
          { name: 'difference', label: 'Inline compared with gathered' },
        ],
      },
      {
        name: 'overwritten',
        label: 'The buffer was overwritten after the post, and the first packet was lost',
        columns: [
          { name: 'how', label: 'WRITE' },
          { name: 'found', label: 'Bytes at the server' },
        ],
      },
    ],
    curves: [
      {
        name: 'rate',
        label: 'Message rate by size',
        text: 'Medians; the range spans the repetitions.',
        x: SIZE,
        y: RATE,
        series: SERIES,
      },
      {
        name: 'cpu',
        label: 'CPU time per message by size',
        text: 'Application, NIC work and kernel of the client.',
        x: SIZE,
        y: { label: 'CPU time', unit: 'ns' },
        series: SERIES,
      },
    ],
  },
  predictions: [
    {
      kind: 'choice',
      id: 'overwrite',
      text: 'You overwrite the buffer right after ibv_post_send. For which WRITEs is that safe?',
      options: [
        { id: 'both', text: 'For both: the call has copied the data' },
        { id: 'inline-only', text: 'Only for the inline one' },
        { id: 'other', text: 'For neither' },
      ],
    },
  ],
  variations: [
    {
      name: 'single-posts',
      title: 'One request per post',
      text: 'The cost of the call can hide the copy.',
      params: { postList: 1 },
    },
    {
      name: 'small',
      title: 'Up to 64 B',
      params: { largest: 64 },
    },
    { name: 'udp', title: 'Over UDP', params: { link: 'udp' } },
  ],
  selfChecks: [
    numberCheck({
      id: 'queue-memory',
      numbers: { requests: [128, 512, 1024], inline: [64, 128, 256] },
      text: ({ requests, inline }) =>
        `A send queue reserves room for ${inline} B of inline data in each of ${requests} requests. How many KiB are that?`,
      answer: ({ requests, inline }) => (requests * inline) / 1024,
      unit: 'KiB',
      tolerance: 0,
      worked: ({ requests, inline }) =>
        `${requests} × ${inline} B = ${requests * inline} B = ${(requests * inline) / 1024} KiB, for each QP.`,
    }),
    choiceCheck({
      id: 'when-free',
      text: 'When may a program reuse the buffer of a gathered WRITE?',
      options: [
        { id: 'completion', text: 'After a completion of this request or of a later one of its QP' },
        { id: 'post', text: 'When ibv_post_send has returned' },
        { id: 'sent', text: 'When the first packet has left' },
      ],
      answer: 'completion',
      worked:
        'Until the ACK arrives, the device may have to retransmit the data, and then it reads the buffer again.',
    }),
  ],
  intends: [
    {
      role: 'client',
      most: 1,
      calls: ['EINVAL', 'ENOMEM'].map((errno) => ({ call: 'ibv_post_send', errno })),
    },
  ],
  checks: [
    { id: 'same-work', text: 'Every message carries its whole payload.' },
    { id: 'too-large', text: 'A payload beyond max_inline_data is refused at once.' },
    { id: 'inline-kept', text: 'An inline WRITE delivers what the buffer held when it was posted.' },
    { id: 'gathered-late', text: 'A gathered WRITE delivers what the buffer holds when a packet is sent.' },
  ],
  run: runInline,
});
