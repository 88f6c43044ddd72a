import { defineLab } from '../form/define.js';
import { cmTimewaitParams } from './params.js';
import { CM_TIMEWAIT_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runCmTimewait } from './run.js';

export default defineLab({
  id: 'cm-timewait',
  title: 'The end of a connection',
  question: 'How does a connection end, and what does the timewait after it protect?',
  summary:
    'Three connections end: the client disconnects, both disconnect at once, and a DisconnectRequest is lost. Meanwhile, the client tries to connect again.',
  short: 'Timewait',
  why: 'A server may keep QPs of clients that are long gone.',
  buildsOn: ['cm-messages'],
  picture: { sample: 'connect', focus: ['wire', 'client.device', 'server.device'] },
  track: 'connections',
  minutes: 8,
  order: 5,
  params: cmTimewaitParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Connects and disconnects.' },
    { name: 'server', title: 'Server', text: 'Accepts and disconnects.' },
  ],
  watch: ['packets', 'verbs', 'checks'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'timewait',
      text: 'How long after DISCONNECTED does TIMEWAIT_EXIT come at the client?',
      unit: 'ms',
      figure: 'timewait',
    },
    {
      kind: 'choice',
      id: 'lost',
      text: 'The client’s DisconnectRequest is lost. What does the server see while the client waits?',
      options: [
        { id: 'later', text: 'DISCONNECTED, later' },
        { id: 'nothing', text: 'Nothing: its QP stays in RTS' },
        { id: 'error', text: 'A completion with an error' },
      ],
    },
  ],
  variations: [
    { name: 'no-loss', title: 'No loss', params: { lost: 0 } },
    { name: 'three', title: 'Three requests are lost', params: { lost: 3 } },
    { name: 'all', title: 'All requests are lost', params: { lost: 5 } },
  ],
  selfChecks: CM_TIMEWAIT_QUESTIONS,
  checks: [
    { id: 'order', text: 'Each end gets DISCONNECTED and then TIMEWAIT_EXIT.' },
    {
      id: 'long-enough',
      text: 'Each timewait lasts about an ACK timeout, or longer.',
    },
    { id: 'request-reply', text: 'A DisconnectRequest and a DisconnectReply end the first connection.' },
    { id: 'both-answered', text: 'If both disconnect, both get DISCONNECTED with status 0.' },
    { id: 'id-used', text: 'The id of an ended connection cannot connect again.' },
    {
      id: 'new-connection',
      text: 'A new id with a new QP need not wait.',
    },
    {
      id: 'lost',
      text: 'A lost DisconnectRequest is repeated; if all are lost, the server stays connected.',
    },
  ],
  wants: ['tap', 'faults'],
  run: runCmTimewait,
});
