import { defineLab } from '../form/define.js';
import { srqParams } from './params.js';
import { SRQ_QUESTIONS } from './questions.js';
import { runSrq } from './run.js';

export default defineLab({
  id: 'srq',
  title: 'Shared receive queue',
  question: 'How can many clients share one pool of receive buffers?',
  summary:
    'Clients send to a server that has one pool of RECVs for all. You see who takes which RECV, how the server is warned, and what an empty pool does.',
  short: 'Shared RECVs',
  why: 'Thousands of connections need buffers, and rarely all at once.',
  buildsOn: ['send-recv'],
  picture: { sample: 'send', focus: ['server.rq', 'server.memory'] },
  track: 'verbs',
  minutes: 5,
  order: 5,
  params: srqParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Sends messages.', count: { param: 'clients' } },
    { name: 'server', title: 'Server', text: 'Owns the pool.' },
  ],
  watch: ['completions', 'verbs', 'problems', 'counters', 'checks'],
  results: {
    figures: [
      { name: 'pool-bytes', label: 'Buffers of the pool', unit: 'B', text: 'Computed: RECVs × buffer size.' },
      {
        name: 'separate-bytes',
        label: 'Buffers with as many RECVs per client',
        unit: 'B',
        text: 'Computed: clients × RECVs × buffer size.',
      },
      { name: 'armed', label: 'Limit after the event' },
      { name: 'naks', label: 'RNR NAKs when the pool was empty' },
    ],
    tables: [
      {
        name: 'messages',
        label: 'Messages at the server',
        columns: [
          { name: 'recv', label: 'wr_id of the RECV' },
          { name: 'qpn', label: 'qp_num' },
          { name: 'client', label: 'Client' },
          { name: 'data', label: 'The buffer holds' },
        ],
      },
      {
        name: 'pool',
        label: 'The pool runs low',
        columns: [
          { name: 'left', label: 'RECVs left' },
          { name: 'event', label: 'What follows' },
        ],
      },
    ],
  },
  intends: [{ role: 'server', counters: ['send_rnr_err'] }],
  predictions: [
    {
      kind: 'choice',
      id: 'who-takes',
      text: 'One client sends many messages, and the others send hardly any. How many RECVs may it take?',
      options: [
        { id: 'share', text: 'Its share of the pool' },
        { id: 'any', text: 'All of them' },
      ],
    },
    {
      kind: 'number',
      id: 'armed',
      text: 'The server has set the limit, and the event has come. What is the limit afterward?',
      figure: 'armed',
    },
  ],
  variations: [
    { name: 'eight', title: 'Eight clients', params: { clients: 8 } },
    { name: 'small-limit', title: 'A limit of 1', params: { limit: 1 } },
    { name: 'through-udp', title: 'Through UDP sockets', params: { link: 'udp' } },
  ],
  selfChecks: SRQ_QUESTIONS,
  checks: [
    { id: 'pooled', text: 'A client takes as many RECVs as it needs.' },
    { id: 'told-apart', text: 'qp_num identifies the client that sent a message.' },
    { id: 'limit-event', text: 'The event comes when fewer RECVs than the limit are left.' },
    { id: 'once', text: 'The event disarms the limit.' },
    { id: 'dry', text: 'An empty pool makes any client wait.' },
  ],
  needs: ['srq'],
  wants: ['counters'],
  run: runSrq,
});
