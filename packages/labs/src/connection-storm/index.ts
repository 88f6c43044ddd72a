import { defineLab } from '../form/define.js';
import { connectionStormParams } from './params.js';
import { CONNECTION_STORM_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runConnectionStorm } from './run.js';

export default defineLab({
  id: 'connection-storm',
  title: 'A storm of connections',
  question: 'How many connections per second can two programs make, and what happens beyond the backlog?',
  summary:
    'A client connects to a server, one at a time and then more and more at once. Then more requests come than a busy server’s backlog holds.',
  short: 'Connect storm',
  why: 'A restart can make thousands of clients connect at once.',
  buildsOn: ['cm-reject'],
  picture: { sample: 'connect', focus: ['client.program', 'wire', 'server.program'] },
  track: 'connections',
  minutes: 8,
  order: 4,
  params: connectionStormParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Makes and ends all connections.' },
    {
      name: 'server',
      title: 'Server',
      text: 'Accepts them. Later it takes no request.',
    },
  ],
  watch: ['packets', 'verbs', 'checks'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'gain',
      text: 'By which factor does the best number at once beat one at a time?',
      figure: 'gain',
    },
    {
      kind: 'choice',
      id: 'overflow',
      text: 'The backlog is full and another request comes. What does its client see?',
      options: [
        { id: 'rejected', text: 'REJECTED, at once' },
        { id: 'waits', text: 'Nothing, until the program takes requests again' },
        { id: 'timeout', text: 'UNREACHABLE, after all retries' },
      ],
    },
  ],
  variations: [
    { name: 'few', title: 'Up to eight at once', params: { most: 8 } },
    { name: 'crowd', title: '64 at once', params: { most: 64, connections: 256 } },
    { name: 'large-backlog', title: 'A backlog of 64', params: { backlog: 64, extra: 1 } },
    { name: 'long', title: 'Busy for 2 s', params: { heldMs: 2000 } },
  ],
  selfChecks: CONNECTION_STORM_QUESTIONS,
  checks: [
    { id: 'all-made', text: 'Every connection is made and ended, however many at once.' },
    { id: 'five-messages', text: 'Each connection has its five CM messages.' },
    {
      id: 'beyond',
      text: 'Requests beyond the backlog get REJECTED (28), or are sent again.',
    },
    { id: 'backlog-kept', text: 'Requests in the backlog wait, and get ESTABLISHED.' },
    {
      id: 'told-at-once',
      text: 'A REJECTED is a ConnectReject; every other request gets a ConnectReply.',
    },
  ],
  wants: ['tap', 'link'],
  run: runConnectionStorm,
});
