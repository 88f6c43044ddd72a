import { medianColumns } from '../form/common-results.js';
import { defineLab } from '../form/define.js';
import { atomicsParams } from './params.js';
import { ATOMICS_QUESTIONS } from './questions.js';
import { runAtomics } from './run.js';
import { REM_ACCESS_ERR, REM_INV_REQ_ERR } from '../endpoints/wc-statuses.js';

export default defineLab({
  id: 'atomics',
  title: 'Atomics',
  question: 'How do several clients change one number without losing an update?',
  summary:
    'Several clients increment one counter of a server: with FETCH_ADD, with READ and WRITE, and with CMP_SWAP. You see which updates are lost.',
  short: 'Atomics',
  why: 'Clients that count together can lose updates without any error.',
  buildsOn: ['write-read'],
  picture: { sample: 'atomic', focus: ['server.memory', 'server.device', 'client.memory'] },
  track: 'verbs',
  minutes: 5,
  order: 6,
  params: atomicsParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Adds to the counter.', count: { param: 'clients' } },
    { name: 'server', title: 'Server', text: 'Owns the counter. Does not count.' },
  ],
  watch: ['completions', 'verbs', 'checks'],
  results: {
    figures: [
      { name: 'lost', label: 'Increments lost with READ and WRITE' },
      {
        name: 'swaps',
        label: 'CMP_SWAPs per increment',
        text: '1 if no other client came in between.',
      },
      { name: 'misaligned', label: 'Status at an address that is not a multiple of 8' },
      { name: 'no-right', label: 'Status without REMOTE_ATOMIC' },
    ],
    tables: [
      {
        name: 'ways',
        label: 'Three ways to count',
        columns: [
          { name: 'way', label: 'Method' },
          { name: 'increments', label: 'Increments' },
          { name: 'counter', label: 'Counter at the end' },
          { name: 'lost', label: 'Lost' },
          { name: 'requests', label: 'Requests' },
        ],
      },
      {
        name: 'times',
        label: 'One request of 8 B at a time',
        text: 'From post to polled completion, at the first client. Includes calls from Node.js.',
        columns: [{ name: 'operation', label: 'Operation' }, ...medianColumns('n', ['Shortest', 'Longest'])],
      },
      {
        name: 'refused',
        label: 'Atomics that are refused',
        columns: [
          { name: 'what', label: 'Request' },
          { name: 'status', label: 'Status' },
          { name: 'counter', label: 'The server’s memory' },
        ],
      },
    ],
  },
  predictions: [
    {
      kind: 'number',
      id: 'lost',
      text: 'In each round, all clients read the counter before any of them writes. How many increments are lost (with your parameters)?',
      figure: 'lost',
    },
    {
      kind: 'number',
      id: 'swaps',
      text: 'How many CMP_SWAPs does one increment need, on average, while others count too?',
      figure: 'swaps',
    },
  ],
  variations: [
    { name: 'two', title: 'Two clients', params: { clients: 2 } },
    {
      name: 'crowd',
      title: 'Eight clients',
      params: { clients: 8 },
    },
    { name: 'through-udp', title: 'Through UDP sockets', params: { link: 'udp' } },
  ],
  selfChecks: ATOMICS_QUESTIONS,
  intends: [
    {
      role: 'client',
      most: 1,
      statuses: [REM_INV_REQ_ERR, REM_ACCESS_ERR],
      calls: [{ call: 'ibv_post_send', errno: 'EINVAL' }],
    },
    { role: 'server', most: 1, events: ['QP_REQ_ERR', 'QP_ACCESS_ERR'] },
  ],
  checks: [
    { id: 'fetch-add', text: 'With FETCH_ADD no increment is lost.' },
    { id: 'old-values', text: 'Each old value comes back to exactly one client.' },
    { id: 'lost-updates', text: 'With READ and WRITE, one increment per round remains.' },
    { id: 'compare-swap', text: 'With CMP_SWAP no increment is lost.' },
    { id: 'misaligned', text: 'A misaligned address is refused with status 9.' },
    { id: 'no-right', text: 'A region without REMOTE_ATOMIC is refused with status 10.' },
  ],
  needs: ['atomics'],
  run: runAtomics,
});
