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
  summary: `The lab makes ${CASES.length} mistakes on purpose, one after the other, each with new resources. After each, the same program runs again without the mistake. You see what every failure leaves behind.`,
  track: 'failures',
  minutes: 6,
  withoutProgram:
    'It makes more than 20 mistakes, each with resources of its own. The program of “What went wrong?” makes one of them.',
  order: 1,
  params: z.object({ link: linkParam }),
  roles: [
    { name: 'client', title: 'Client', text: 'Posts the requests and reads its completions and events.' },
    { name: 'server', title: 'Server', text: 'Is written to, read from, and sometimes configured wrongly.' },
    {
      name: 'victim',
      title: 'Victim',
      text: 'A second server. It takes the server’s place in the one failure that kills the peer’s process. Idle in all others.',
    },
  ],
  watch: ['checks', 'packets', 'verbs', 'completions'],
  results: RESULTS,
  predictions: PREDICTIONS,
  variations: [
    {
      name: 'udp',
      title: 'Through UDP sockets',
      text: 'The same failures, with packets that the kernel carries.',
      params: { link: 'udp' },
    },
  ],
  selfChecks: SELF_CHECKS,
  checks: CHECKS,
  wants: ['tap', 'counters', 'pinned'],
  run: runTour,
});
