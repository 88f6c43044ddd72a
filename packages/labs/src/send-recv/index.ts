import { defineLab } from '../form/define.js';
import { sendRecvParams } from './params.js';
import { SEND_RECV_QUESTIONS } from './questions.js';
import { runSendRecv } from './run.js';
import {
  LOC_LEN_ERR,
  LOC_QP_OP_ERR,
  REM_INV_REQ_ERR,
  REM_OP_ERR,
  RNR_RETRY_EXC_ERR,
} from '../endpoints/wc-statuses.js';

export default defineLab({
  id: 'send-recv',
  title: 'SEND and RECV',
  question: 'Which buffer does a message take, and what if there is none?',
  summary:
    'The client sends messages to RECVs of the server, one too small and one missing. Then a burst finds too few RECVs, with and without credits.',
  short: 'SEND and RECV',
  why: 'RPCs over SEND depend on RECVs that are there in time.',
  buildsOn: ['minimal-flow'],
  picture: { sample: 'send', focus: ['server.rq', 'server.memory', 'client.sq'] },
  track: 'verbs',
  minutes: 5,
  order: 4,
  params: sendRecvParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Sends messages.' },
    { name: 'server', title: 'Server', text: 'Posts RECVs.' },
  ],
  watch: ['completions', 'verbs', 'packets', 'problems', 'counters', 'checks'],
  results: {
    figures: [
      { name: 'naks', label: 'RNR NAKs of the burst, all at once' },
      { name: 'naks-credits', label: 'RNR NAKs of the burst, with credits' },
      {
        name: 'too-small',
        label: 'Status of the SEND into a RECV that is too small',
        text: '9 is REM_INV_REQ_ERR. The kernel’s rxe gives 11, REM_OP_ERR.',
      },
      { name: 'none', label: 'Status of the SEND without a RECV', text: '13 is RNR_RETRY_EXC_ERR.' },
    ],
    tables: [
      {
        name: 'messages',
        label: 'Messages in a row',
        columns: [
          { name: 'message', label: 'Message' },
          { name: 'sent', label: 'Sent', unit: 'B' },
          { name: 'recv', label: 'wr_id of its RECV' },
          { name: 'received', label: 'byte_len', unit: 'B' },
          { name: 'data', label: 'Data' },
        ],
      },
      {
        name: 'refused',
        label: 'What ends a connection',
        columns: [
          { name: 'case', label: 'RECV for the message' },
          { name: 'client', label: 'Status at the client' },
          { name: 'server', label: 'Status at the server' },
        ],
      },
      {
        name: 'bursts',
        label: 'A burst',
        text: 'Times are not compared: Verbs Lab passes each credit on with commands of its own.',
        columns: [
          { name: 'way', label: 'Method' },
          { name: 'messages', label: 'Messages' },
          { name: 'recvs', label: 'RECVs at the start' },
          { name: 'naks', label: 'RNR NAKs' },
          { name: 'packets', label: 'SEND packets of the client' },
        ],
      },
    ],
  },
  predictions: [
    {
      kind: 'choice',
      id: 'short-message',
      text: 'Several short messages would fit into one buffer. How many RECVs do they take?',
      options: [
        { id: 'shared', text: 'One, until its buffer is full' },
        { id: 'one', text: 'One RECV each' },
      ],
    },
    {
      kind: 'choice',
      id: 'too-small',
      text: 'A message is one byte longer than its RECV. What happens?',
      options: [
        { id: 'cut', text: 'The last byte is cut off' },
        { id: 'both', text: 'Both sides get an error, the connection ends' },
      ],
    },
    {
      kind: 'number',
      id: 'naks-credits',
      text: 'How many RNR NAKs does a burst cause if the client counts credits?',
      figure: 'naks-credits',
    },
  ],
  variations: [
    { name: 'one-recv', title: 'A single RECV', params: { recvs: 1 } },
    { name: 'large', title: 'Messages of up to 4 KiB', params: { size: 4096, messages: 16 } },
    { name: 'through-udp', title: 'Through UDP sockets', params: { link: 'udp' } },
  ],
  selfChecks: SEND_RECV_QUESTIONS,
  intends: [
    // The kernel’s rxe has statuses of its own for a message that is too long: REM_OP_ERR, and LOC_QP_OP_ERR at the server.
    { role: 'client', most: 1, statuses: [REM_INV_REQ_ERR, REM_OP_ERR, RNR_RETRY_EXC_ERR] },
    {
      role: 'server',
      most: 1,
      statuses: [LOC_LEN_ERR, LOC_QP_OP_ERR],
      events: ['QP_REQ_ERR'],
      // Packets behind one that found no RECV are out of sequence.
      counters: ['send_rnr_err', 'out_of_sequence'],
    },
  ],
  checks: [
    { id: 'in-order', text: 'Messages take RECVs in posting order.' },
    { id: 'byte-len', text: 'Each completion says how many bytes arrived.' },
    { id: 'data', text: 'Each buffer holds its message.' },
    { id: 'scatter', text: 'A message is gathered from pieces and scattered into others.' },
    { id: 'too-small', text: 'A too small RECV gives status 1 at the server, 9 at the client.' },
    { id: 'none', text: 'Without a RECV and without retries, the client gets status 13.' },
    { id: 'rnr', text: 'A burst that finds too few RECVs causes RNR NAKs, and arrives.' },
    { id: 'credits', text: 'With credits there is no RNR NAK, and every message arrives.' },
  ],
  wants: ['counters', 'tap'],
  run: runSendRecv,
});
