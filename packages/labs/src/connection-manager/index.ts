import { defineLab } from '../form/define.js';
import { connectionManagerParams } from './params.js';
import { CONNECTION_MANAGER_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runConnectionManager } from './run.js';

export default defineLab({
  id: 'connection-manager',
  title: 'Connecting with rdma_cm',
  question: 'What does the connection manager do for you, and how long does it take?',
  summary:
    'Two programs connect by IP address and port, move data, and disconnect. A second request is rejected. Then they connect by hand.',
  short: 'rdma_cm',
  why: 'Storage targets and many services connect this way.',
  buildsOn: ['minimal-flow', 'qp-states'],
  picture: { sample: 'connect', focus: ['client.library', 'wire', 'server.library'] },
  track: 'foundations',
  minutes: 8,
  order: 4,
  params: connectionManagerParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Connects, and moves the data.' },
    { name: 'server', title: 'Server', text: 'Accepts the first request, rejects the second.' },
  ],
  watch: ['packets', 'verbs', 'completions', 'checks'],
  results: RESULTS,
  predictions: [
    {
      kind: 'choice',
      id: 'who-moves',
      text: 'What moves the QPs from RESET to RTS?',
      options: [
        { id: 'program', text: 'The program, with ibv_modify_qp' },
        { id: 'library', text: 'The connection manager' },
      ],
    },
    {
      kind: 'number',
      id: 'setup-writes',
      text: 'How many WRITEs, one after another, take as long as the setup by rdma_cm?',
      figure: 'setup-writes',
    },
  ],
  variations: [
    { name: 'small', title: '1 B messages', params: { size: 1 } },
    { name: 'large', title: '64 KiB messages', params: { size: 65_536 } },
    { name: 'udp', title: 'Through UDP sockets', params: { link: 'udp' } },
  ],
  selfChecks: CONNECTION_MANAGER_QUESTIONS,
  intends: [{ role: 'client', most: 1, calls: [{ call: 'rdma_connect', errno: 'ECONNREFUSED' }] }],
  checks: [
    { id: 'client-events', text: 'The client gets five events, in order.' },
    { id: 'server-events', text: 'The server gets four events, in order.' },
    { id: 'private-data', text: 'The private data is the server’s address and rkey.' },
    { id: 'cm-data', text: 'The data arrives by WRITE and comes back by READ.' },
    { id: 'states', text: 'Without ibv_modify_qp, the QPs are in INIT, RTS, and at the end ERR.' },
    { id: 'cm-packets', text: 'Five messages to QP 1 connect and disconnect.' },
    { id: 'whole', text: 'No packet of the data is missing.' },
    { id: 'cm-link', text: 'The connection manager uses UDP sockets on every link.' },
    { id: 'rejected', text: 'A rejection carries reason 28 and the server’s private data.' },
    { id: 'by-hand', text: 'By hand, three transitions per QP connect.' },
  ],
  wants: ['tap', 'counters', 'link'],
  run: runConnectionManager,
});
