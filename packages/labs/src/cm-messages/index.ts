import { defineLab } from '../form/define.js';
import { cmMessagesParams } from './params.js';
import { CM_MESSAGES_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runCmMessages } from './run.js';

export default defineLab({
  id: 'cm-messages',
  title: 'The messages of a connection',
  question: 'What do two connection managers say to each other, and how long does each message take?',
  summary:
    'A client connects by rdma_cm, and as often by hand over a TCP socket. You see each CM message, its time and its fields.',
  short: 'CM messages',
  why: 'When a connection hangs, its CM messages show where it stopped.',
  buildsOn: ['connection-manager'],
  picture: { sample: 'connect', focus: ['wire', 'client.library', 'server.library'] },
  track: 'connections',
  minutes: 10,
  order: 1,
  params: cmMessagesParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Connects, writes once, and disconnects.' },
    { name: 'server', title: 'Server', text: 'Accepts every connection, either way.' },
  ],
  watch: ['packets', 'verbs', 'completions', 'checks'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'messages',
      text: 'How many messages does rdma_cm need until both QPs may send?',
      figure: 'messages',
    },
    {
      kind: 'number',
      id: 'private-room',
      text: 'The client passes 12 B of private data. How many bytes does the server’s program get?',
      unit: 'B',
      figure: 'private-room',
    },
    {
      kind: 'choice',
      id: 'slower',
      text: 'Which takes longer on your machine?',
      options: [
        { id: 'cm', text: 'rdma_cm' },
        { id: 'hand', text: 'By hand over TCP' },
        { id: 'unclear', text: 'No clear difference' },
      ],
    },
  ],
  variations: [
    { name: 'one', title: 'One connection', params: { connections: 1 } },
    { name: 'many', title: '64 connections per way', params: { connections: 64 } },
  ],
  selfChecks: CM_MESSAGES_QUESTIONS,
  checks: [
    { id: 'cm-connected', text: 'Every connection by rdma_cm moves data.' },
    { id: 'hand-connected', text: 'Every connection by hand moves data.' },
    { id: 'cm-order', text: 'Each connection has five messages, in order.' },
    { id: 'qpns', text: 'The messages name the QPNs of both programs.' },
    { id: 'starting-psn', text: 'The client’s first data packet has the ConnectReply’s PSN.' },
    { id: 'service-id', text: 'The service ID is the port space and the server’s port.' },
    { id: 'request-data', text: 'The client’s private data is in the ConnectRequest.' },
    { id: 'reply-data', text: 'The server’s address and rkey are in the ConnectReply.' },
    { id: 'cm-icrc', text: 'Every captured packet has the right ICRC.' },
  ],
  wants: ['tap', 'link'],
  run: runCmMessages,
});
