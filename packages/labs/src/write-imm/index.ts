import { defineLab } from '../form/define.js';
import { writeImmParams } from './params.js';
import { WRITE_IMM_QUESTIONS } from './questions.js';
import { runWriteImm } from './run.js';
import { RNR_RETRY_EXC_ERR } from '../endpoints/wc-statuses.js';

export default defineLab({
  id: 'write-imm',
  title: 'WRITE with immediate',
  question: 'How does a WRITE notify the target, and what if the target is not ready?',
  summary:
    'The client writes with 32 bits of immediate data, which take a RECV of the server and complete it. Then the RECV comes late, and finally never.',
  short: 'WRITE with imm',
  why: 'One message carries the data and wakes the target.',
  buildsOn: ['write-read', 'send-recv'],
  picture: { sample: 'write-imm', focus: ['server.rq', 'server.cq', 'server.memory'] },
  track: 'verbs',
  minutes: 5,
  order: 2,
  params: writeImmParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Writes.' },
    { name: 'server', title: 'Server', text: 'Posts a RECV in time, late, or never.' },
  ],
  watch: ['completions', 'packets', 'verbs', 'checks'],
  results: {
    figures: [
      {
        name: 'tries',
        label: 'Times sent without a RECV',
        text: 'Packets with the message that found no RECV, captured at the client.',
      },
      {
        name: 'late-time',
        label: 'Time until the message with the late RECV completed',
        unit: 'ms',
        text: 'At the client, with rnr_retry 7; includes seeing the NAK and posting the RECV.',
      },
      {
        name: 'never-status',
        label: 'Status of the message without a RECV',
        text: '13 is RNR_RETRY_EXC_ERR.',
      },
      {
        name: 'immediate',
        label: 'Immediate in the server’s completion',
        text: 'As a decimal number. The tables show it in hexadecimal.',
      },
    ],
    tables: [
      {
        name: 'messages',
        label: 'Messages',
        columns: [
          { name: 'opcode', label: 'Request' },
          { name: 'recv', label: 'RECV' },
          { name: 'status', label: 'Status at the client' },
          { name: 'noticed', label: 'Completions at the server' },
          { name: 'immediate', label: 'Immediate at the server' },
        ],
      },
      {
        name: 'order',
        label: 'The immediate in each place',
        text: 'The second and third lines are computed from the first.',
        columns: [
          { name: 'form', label: 'Where' },
          { name: 'value', label: 'Value' },
        ],
      },
    ],
  },
  predictions: [
    {
      kind: 'choice',
      id: 'data-lands',
      text: 'A RECV with a buffer is posted. Where does the data of a WRITE with immediate go?',
      options: [
        { id: 'buffer', text: 'Into the buffer of the RECV' },
        { id: 'address', text: 'To the address that the client named' },
      ],
    },
    {
      kind: 'choice',
      id: 'missing-recv',
      text: 'The server never posts a RECV. What happens to the WRITE with immediate, with your rnr_retry?',
      options: [
        { id: 'lost', text: 'The notification is lost' },
        { id: 'retries', text: 'It is tried again, then fails' },
        { id: 'fails', text: 'It fails at once' },
      ],
    },
  ],
  variations: [
    {
      name: 'no-retry',
      title: 'rnr_retry 0',
      text: 'One packet, one RNR NAK, status 13.',
      params: { rnrRetry: 0 },
    },
    {
      name: 'small-immediate',
      title: 'The immediate 1',
      text: 'Without ntohl, a little-endian CPU reads 16,777,216.',
      params: { immediate: 1 },
    },
    { name: 'through-udp', title: 'Through UDP sockets', params: { link: 'udp' } },
  ],
  selfChecks: WRITE_IMM_QUESTIONS,
  intends: [
    { role: 'client', most: 1, statuses: [RNR_RETRY_EXC_ERR] },
    { role: 'server', counters: ['send_rnr_err'] },
  ],
  checks: [
    { id: 'plain-silent', text: 'A plain WRITE takes no RECV and completes nothing at the server.' },
    {
      id: 'recv-completes',
      text: 'A WRITE with immediate completes a RECV with opcode 129.',
    },
    { id: 'immediate', text: 'The server gets the immediate that the client posted.' },
    {
      id: 'recv-buffer-untouched',
      text: 'The data goes to the WRITE’s address, not into the RECV’s buffer.',
    },
    { id: 'late-recv', text: 'A RECV that is posted late still gets the message.' },
    { id: 'sender-knows', text: 'Without a RECV the client’s request fails with status 13.' },
    { id: 'tries', text: 'The client sends the message 1 + rnr_retry times.' },
  ],
  wants: ['tap', 'counters'],
  run: runWriteImm,
});
