import { defineLab } from '../form/define.js';
import { CASES } from '../failures/cases/index.js';
import { clinicParams } from './params.js';
import { RESULTS } from './results.js';
import { runClinic } from './run.js';
import { SELF_CHECKS } from './self-checks.js';
import { CLINIC_STEPS } from './steps.js';

export default defineLab({
  id: 'clinic',
  title: 'What went wrong?',
  question: 'Which mistake belongs to these symptoms?',
  summary:
    'A program with one mistake runs on real endpoints, and then without it. You see the symptoms of both, and name the mistake.',
  short: 'What went wrong?',
  why: 'Whose device found the mistake decides who has to look.',
  buildsOn: ['clinic-tour'],
  picture: { sample: 'beyond-region', focus: ['client.cq', 'server.device', 'wire'] },
  track: 'failures',
  minutes: 5,
  order: 2,
  params: clinicParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Posts the request and reads its completion.' },
    { name: 'server', title: 'Server', text: 'The other end of the connection.' },
    {
      name: 'victim',
      title: 'Victim',
      text: 'Replaces the server in the failure that kills the peer’s process.',
    },
  ],
  watch: ['steps', 'checks', 'packets', 'verbs', 'completions', 'states', 'counters'],
  steps: CLINIC_STEPS.map((step) => ({ ...step })),
  results: RESULTS,
  predictions: [
    {
      kind: 'choice',
      id: 'diagnosis',
      text: 'Which mistake is it? Run, choose, and run with “Reveal the diagnosis” on.',
      options: CASES.map(({ id, name }) => ({ id, text: name })),
      unanswered: 'not revealed. Run again with the same seed and “Reveal the diagnosis” on.',
    },
  ],
  variations: [
    {
      name: 'revealed',
      title: 'With the diagnosis',
      text: 'Choose your diagnosis first.',
      params: { reveal: true },
    },
    { name: 'another', title: 'Another failure', params: { seed: 1 } },
    {
      name: 'wrong-rkey',
      title: 'A wrong rkey',
      text: 'A common remote error: NAK 0x62, status 10.',
      params: { case: 'wrong-rkey' },
    },
    {
      name: 'rnr-timer-zero',
      title: 'min_rnr_timer 0',
      params: { case: 'rnr-timer-zero' },
    },
    {
      name: 'psn-mismatch',
      title: 'PSNs that do not match',
      text: 'The status of a lost peer, with a peer that is well.',
      params: { case: 'psn-mismatch' },
    },
  ],
  selfChecks: SELF_CHECKS,
  checks: [
    { id: 'symptoms', text: 'The mistake shows the symptoms that belong to it.' },
    { id: 'fixed', text: 'Without the mistake, the same program works.' },
  ],
  wants: ['tap', 'counters', 'pinned'],
  run: runClinic,
});
