import { defineLab } from '../form/define.js';
import { udGrhParams } from './params.js';
import { UD_GRH_QUESTIONS } from './questions.js';
import { runUdGrh } from './run.js';
import { LOC_LEN_ERR } from '../endpoints/wc-statuses.js';

export default defineLab({
  id: 'ud-grh',
  title: 'Datagrams and their GRH',
  question: 'What is in the receive buffer of a datagram?',
  summary:
    'A client sends datagrams to a server that it is not connected to. The server finds a 40-byte header before the payload, and uses it to answer.',
  short: 'Datagrams',
  why: 'One QP can talk to thousands of peers this way.',
  buildsOn: ['send-recv'],
  picture: { sample: 'datagram', focus: ['server.memory', 'server.rq', 'wire'] },
  track: 'verbs',
  minutes: 5,
  order: 8,
  params: udGrhParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Sends datagrams.' },
    { name: 'server', title: 'Server', text: 'Receives them and answers.' },
  ],
  watch: ['completions', 'verbs', 'checks'],
  results: {
    figures: [
      {
        name: 'byte-len',
        label: 'byte_len of the completion',
        unit: 'B',
        text: 'A dash: the RECV did not succeed.',
      },
      { name: 'mtu', label: 'Largest payload of a datagram', unit: 'B' },
      {
        name: 'qkey-violations',
        label: 'Datagrams dropped for their Q_Key',
        text: 'By the counter of the server’s device.',
      },
      { name: 'buffer', label: 'Receive buffer', unit: 'B' },
    ],
    tables: [
      {
        name: 'datagrams',
        label: 'Datagrams from the client',
        columns: [
          { name: 'what', label: 'Datagram' },
          { name: 'sender', label: 'At the client' },
          { name: 'receiver', label: 'At the server' },
          { name: 'byteLen', label: 'byte_len', unit: 'B' },
        ],
      },
      {
        name: 'grh',
        label: 'What the server learns about the sender',
        columns: [
          { name: 'field', label: 'Field' },
          { name: 'value', label: 'Value' },
        ],
      },
    ],
  },
  predictions: [
    {
      kind: 'choice',
      id: 'byte-length',
      text: 'The client sends your payload (64 B by default) into a buffer with your room for more (40 B). What does byte_len say?',
      options: [
        { id: 'payload', text: 'The payload' },
        { id: 'both', text: 'The payload and 40 B more' },
        { id: 'fails', text: 'Nothing: the RECV does not succeed' },
      ],
    },
  ],
  variations: [
    {
      name: 'no-room',
      title: 'A buffer without room for the GRH',
      text: 'The buffer is as long as the message.',
      params: { spare: 0 },
    },
    { name: 'short-message', title: '1 B of payload', params: { size: 1 } },
    { name: 'through-udp', title: 'Through UDP sockets', params: { link: 'udp' } },
  ],
  selfChecks: UD_GRH_QUESTIONS,
  intends: [
    // A datagram longer than the path MTU: devices differ in whether they report it.
    { role: 'client', most: 1, statuses: [LOC_LEN_ERR], calls: [{ call: 'ibv_post_send', errno: 'EINVAL' }] },
    // A RECV without room for the GRH, and a wrong Q_Key.
    { role: 'server', most: 1, statuses: [LOC_LEN_ERR], counters: ['qkey_violations', 'dropped_messages'] },
  ],
  checks: [
    { id: 'byte-len', text: 'byte_len counts the GRH and the payload.' },
    { id: 'payload-at-40', text: 'The payload begins at offset 40.' },
    { id: 'too-short', text: 'A buffer without room for the GRH receives no message.' },
    { id: 'wrong-qkey', text: 'A datagram with a wrong Q_Key is dropped, and the sender does not notice.' },
    { id: 'grh', text: 'The GRH names both GIDs, and the completion names the sender’s QPN.' },
    { id: 'reply', text: 'The server can answer with these alone.' },
    { id: 'one-packet', text: 'A message longer than one path MTU does not arrive.' },
  ],
  wants: ['counters'],
  run: runUdGrh,
});
