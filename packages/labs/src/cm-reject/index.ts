import { defineLab } from '../form/define.js';
import { CASES } from './cases.js';
import { cmRejectParams } from './params.js';
import { CM_REJECT_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runCmReject } from './run.js';

const CHECKS: Readonly<Record<(typeof CASES)[number]['id'], string>> = {
  program: 'A program’s rejection has reason 28 and its private data.',
  closed: 'Destroying the request’s id rejects it: reason 28, no data.',
  'no-listener': 'Without a listener, the reason is 8.',
  'gave-up': 'A client that gives up tells the server: reason 4.',
  'no-service': 'A missing datagram service is UNREACHABLE, status 1.',
  'no-datagrams': 'A datagram service that rejects is UNREACHABLE, status 2.',
};

export default defineLab({
  id: 'cm-reject',
  title: 'Rejected connections',
  question: 'Why was my connection rejected, and how does the client learn the reason?',
  summary:
    'Six attempts to connect fail, each for another reason. You see the event, the reason and the packet of each.',
  short: 'Rejections',
  why: '“Rejected” has several reasons, and not all are worth a retry.',
  buildsOn: ['cm-messages'],
  picture: { sample: 'connect', focus: ['wire', 'client.program', 'server.program'] },
  track: 'connections',
  minutes: 8,
  order: 2,
  params: cmRejectParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Tries to connect.' },
    { name: 'server', title: 'Server', text: 'Refuses, or does not listen.' },
  ],
  watch: ['packets', 'verbs', 'checks'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'no-listener-time',
      text: 'No program listens on the port. After how many milliseconds does the client know?',
      unit: 'ms',
      figure: 'no-listener-time',
    },
    {
      kind: 'choice',
      id: 'silent',
      text: 'The server’s program destroys the request’s id and says nothing. What does the client get?',
      options: [
        { id: 'rejected', text: 'REJECTED' },
        { id: 'waits', text: 'Nothing, until its requests time out' },
      ],
    },
    {
      kind: 'choice',
      id: 'datagrams',
      text: 'A datagram service (RDMA_PS_UDP) calls rdma_reject. Which event does the client get?',
      options: [
        { id: 'rejected', text: 'REJECTED' },
        { id: 'unreachable', text: 'UNREACHABLE' },
      ],
    },
  ],
  variations: [
    { name: 'at-once', title: 'The program answers at once', params: { answerMs: 0 } },
    {
      name: 'slow',
      title: 'The program takes 600 ms',
      params: { answerMs: 600 },
    },
  ],
  selfChecks: CM_REJECT_QUESTIONS,
  checks: [
    ...CASES.map(({ id }) => ({ id, text: CHECKS[id] })),
    { id: 'still-listens', text: 'The listener accepts the next connection.' },
  ],
  wants: ['tap'],
  run: runCmReject,
});
