import { defineLab } from '../form/define.js';
import { writeReadParams } from './params.js';
import { WRITE_READ_QUESTIONS } from './questions.js';
import { runWriteRead } from './run.js';

export default defineLab({
  id: 'write-read',
  title: 'WRITE and READ',
  question: 'What happens at both ends when one of them writes or reads the other’s memory?',
  summary:
    'The client writes into the server’s memory and reads it back. Then it posts several WRITEs, only some of them signaled, with a READ right behind them.',
  short: 'WRITE and READ',
  why: 'Order and completions are what you may rely on, and no more.',
  buildsOn: ['minimal-flow'],
  picture: { sample: 'read', focus: ['client.cq', 'wire', 'server.memory'] },
  track: 'verbs',
  minutes: 6,
  order: 1,
  params: writeReadParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Posts every request.' },
    { name: 'server', title: 'Server', text: 'Posts nothing.' },
  ],
  watch: ['packets', 'completions', 'verbs', 'checks'],
  results: {
    headline: { table: 'requests', columns: ['opcode', 'out', 'back', 'atTarget'] },
    figures: [
      { name: 'target-completions', label: 'Completions at the server', text: 'Of the WRITE and the READ.' },
      { name: 'write-packets', label: 'Packets of the WRITE' },
      { name: 'read-requests', label: 'Request packets of the READ' },
      { name: 'read-responses', label: 'Response packets of the READ' },
      { name: 'batch-completions', label: 'Completions of the WRITEs in a row' },
      {
        name: 'batch-acks',
        label: 'ACK packets for the WRITEs in a row',
        text: 'Captured at the client. The READ’s response acknowledges as well.',
      },
      { name: 'last-word', label: 'WRITE whose value the server’s memory holds at the end' },
      {
        name: 'path-mtu',
        label: 'Path MTU',
        unit: 'B',
        text: 'The smallest of your choice and the active MTUs of both devices.',
      },
    ],
    tables: [
      {
        name: 'requests',
        label: 'One WRITE and one READ',
        text: 'Packets as captured at the client; a retransmitted packet counts once.',
        columns: [
          { name: 'opcode', label: 'Request' },
          { name: 'size', label: 'Size', unit: 'B' },
          { name: 'out', label: 'Client to server' },
          { name: 'back', label: 'Server to client' },
          { name: 'atClient', label: 'Completions at the client' },
          { name: 'atTarget', label: 'Completions at the server' },
        ],
      },
    ],
  },
  predictions: [
    {
      kind: 'choice',
      id: 'target-notices',
      text: 'What does the server’s program get when the client writes into its memory?',
      options: [
        { id: 'completion', text: 'A completion' },
        { id: 'nothing', text: 'Nothing' },
      ],
    },
    {
      kind: 'number',
      id: 'packets-of-read',
      text: 'How many packets does the server send for the READ (by default 4096 B at a path MTU of 1024 B)?',
      figure: 'read-responses',
    },
    {
      kind: 'choice',
      id: 'read-sees',
      text: 'A READ is posted directly after the WRITEs. What does it return?',
      options: [
        { id: 'old', text: 'The value from before' },
        { id: 'between', text: 'That of any of the WRITEs' },
        { id: 'last', text: 'That of the last WRITE' },
      ],
    },
  ],
  variations: [
    {
      name: 'one-packet',
      title: '1000 B: one packet',
      params: { size: 1000 },
    },
    {
      name: 'every-wr',
      title: 'Every WRITE signaled',
      text: 'As many completions as WRITEs.',
      params: { signalEvery: 1 },
    },
    {
      name: 'large-mtu',
      title: 'A path MTU of 4096 B',
      text: '4096 B fit in one packet, if both active MTUs allow it.',
      params: { mtu: '4096' },
    },
    { name: 'through-udp', title: 'Through UDP sockets', params: { link: 'udp' } },
  ],
  selfChecks: WRITE_READ_QUESTIONS,
  checks: [
    { id: 'buffer-changes', text: 'The WRITE changes the server’s memory.' },
    { id: 'read-back', text: 'The READ brings the same bytes back.' },
    { id: 'target-silent', text: 'The server gets no completion.' },
    { id: 'write-cut', text: 'The WRITE is an Only, or First, Middle, Last.' },
    { id: 'read-cut', text: 'The READ’s responses are split the same way.' },
    {
      id: 'one-per-signaled',
      text: 'A signaled WRITE produces one completion, an unsignaled one none.',
    },
    { id: 'in-order', text: 'Completions come in posting order.' },
    { id: 'last-wins', text: 'The last WRITE wins, and the READ sees its value.' },
  ],
  wants: ['tap'],
  run: runWriteRead,
});
