import { defineLab } from '../define.js';
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
    'A program with one mistake runs on real endpoints. You get its status, errno, events, NAKs and counters, and name the mistake. Then the lab reveals it and runs the fixed program beside it.',
  track: 'failures',
  minutes: 5,
  order: 1,
  params: clinicParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Posts the request and reads its completion.' },
    { name: 'server', title: 'Server', text: 'The other end of the connection.' },
    {
      name: 'victim',
      title: 'Victim',
      text: 'The peer in one failure, in which its process is killed.',
    },
  ],
  watch: ['steps', 'checks', 'packets', 'verbs', 'completions', 'states', 'counters'],
  steps: CLINIC_STEPS.map((step) => ({ ...step })),
  results: RESULTS,
  predictions: [
    {
      kind: 'choice',
      id: 'diagnosis',
      text: 'Which mistake is it? Run with “Reveal the diagnosis” off first to see the symptoms.',
      options: CASES.map(({ id, name }) => ({ id, text: name })),
    },
  ],
  variations: [
    {
      name: 'symptoms-only',
      title: 'Symptoms only',
      text: 'Look at the symptoms, then choose the mistake and run with the reveal.',
      params: { reveal: false },
    },
    { name: 'another', title: 'Another failure', params: { seed: 2, reveal: false } },
    {
      name: 'wrong-rkey',
      title: 'A wrong rkey',
      text: 'The most frequent remote error: NAK 0x62, status 10.',
      params: { case: 'wrong-rkey' },
    },
    {
      name: 'rnr-timer-zero',
      title: 'min_rnr_timer 0',
      text: 'A success that takes more than half a second.',
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
