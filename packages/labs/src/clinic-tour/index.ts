import { z } from 'zod';
import { defineLab } from '../form/define.js';
import { CASES } from '../failures/cases/index.js';
import { linkParam } from '../endpoints/link.js';
import { CHECKS } from './checks.js';
import { PREDICTIONS } from './predictions.js';
import { RESULTS } from './results.js';
import { runTour } from './run.js';
import { SELF_CHECKS } from './self-checks.js';

export default defineLab({
  id: 'clinic-tour',
  title: 'A tour of failures',
  question: 'How does each mistake show itself: status, errno, event, NAK or silence?',
  summary: `The lab makes ${CASES.length} mistakes on purpose, and runs each program again without its mistake. You see what every failure leaves behind.`,
  short: 'Tour of failures',
  why: 'A log often has one number. Several mistakes share it.',
  buildsOn: ['qp-states', 'send-recv'],
  picture: { sample: 'beyond-region', focus: ['client.cq', 'server.device', 'wire'] },
  track: 'failures',
  minutes: 6,
  withoutProgram:
    'It makes more than 20 mistakes, each with resources of its own. The program of “What went wrong?” makes one of them.',
  order: 1,
  params: z.object({ link: linkParam }),
  roles: [
    { name: 'client', title: 'Client', text: 'Posts requests, reads completions and events.' },
    { name: 'server', title: 'Server', text: 'Is sometimes configured wrongly.' },
    {
      name: 'victim',
      title: 'Victim',
      text: 'Replaces the server in the failure that kills the peer’s process.',
    },
  ],
  watch: ['checks', 'packets', 'verbs', 'completions'],
  results: RESULTS,
  predictions: PREDICTIONS,
  variations: [
    {
      name: 'udp',
      title: 'Through UDP sockets',
      params: { link: 'udp' },
    },
  ],
  selfChecks: SELF_CHECKS,
  checks: CHECKS,
  wants: ['tap', 'counters', 'pinned'],
  run: runTour,
});
