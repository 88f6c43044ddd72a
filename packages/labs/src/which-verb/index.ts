import { defineLab } from '../form/define.js';
import { LOC_LEN_ERR } from '../endpoints/wc-statuses.js';
import { JOBS, VERBS } from './jobs.js';
import { RULES } from './observe.js';
import { whichVerbParams } from './params.js';
import { WHICH_VERB_QUESTIONS } from './questions.js';
import { RESULTS } from './results.js';
import { runWhichVerb } from './run.js';

const OPTIONS = [
  ...VERBS.map(({ id, title }) => ({ id, text: title })),
  { id: 'tie', text: 'No clear difference' },
];

const RULE_TEXT: Readonly<Record<string, string>> = {
  'send-message': 'SEND: data goes where the RECV says; one completion there.',
  'write-push': 'WRITE: data goes where the initiator says; no completion there.',
  'imm-tag': 'WRITE with immediate: also one completion, with the immediate.',
  'read-pull': 'READ: data comes back; no completion at the target.',
  'atomic-word': 'FETCH_ADD: 8 bytes change, and the old value returns.',
};

export default defineLab({
  id: 'which-verb',
  title: 'Which verb for which job',
  question: 'Which verb fits which job?',
  summary:
    'Five verbs try seven jobs: request and reply, large transfers that the target must or must not notice, a stream, a shared value, a counter, and a buffer of unknown address.',
  short: 'Which verb',
  why: 'The wrong verb can cost a round trip, or a CPU.',
  buildsOn: ['write-read', 'send-recv'],
  picture: { sample: 'write', focus: ['client.sq', 'server.memory', 'server.rq', 'server.cq'] },
  track: 'verbs',
  minutes: 5,
  order: 11,
  params: whichVerbParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Sends.' },
    {
      name: 'other',
      title: 'Other client',
      text: 'Uses the same value and counter.',
      count: { param: 'others' },
    },
    { name: 'server', title: 'Server', text: 'Serves, or does nothing.' },
  ],
  watch: ['packets', 'completions', 'verbs', 'checks'],
  wants: ['tap', 'engineCpu'],
  intends: [
    // An atomic of more than 8 bytes.
    { role: 'client', most: 1, statuses: [LOC_LEN_ERR], calls: [{ call: 'ibv_post_send', errno: 'EINVAL' }] },
  ],
  results: RESULTS,
  predictions: JOBS.flatMap(({ id, ask }) =>
    ask === undefined ? [] : [{ kind: 'choice' as const, id, text: ask, options: OPTIONS }],
  ),
  variations: [
    { name: 'quick', title: 'Quick', params: { rounds: 10, repeat: 2 } },
    {
      name: 'polling',
      title: 'Both sides poll',
      params: { wait: 'poll' },
    },
    {
      name: 'crowd',
      title: 'Four clients',
      params: { others: 3 },
    },
    {
      name: 'megabyte',
      title: '1 MiB transfers',
      params: { large: 1024 * 1024 },
    },
    { name: 'through-udp', title: 'Through UDP sockets', params: { link: 'udp' } },
  ],
  selfChecks: WHICH_VERB_QUESTIONS,
  checks: [
    ...RULES.map(({ check }) => ({ id: check, text: RULE_TEXT[check]! })),
    { id: 'rights', text: 'Without its right, a one-sided verb gets status 10.' },
    { id: 'unknown-address', text: 'A guessed rkey gets status 10.' },
    { id: 'eight-bytes', text: 'An atomic of more than 8 bytes is refused.' },
    { id: 'lost-updates', text: 'With READ and WRITE, one increment per round is left.' },
    { id: 'stale', text: 'A READ brings old data again, with status 0.' },
    {
      id: 'notified',
      text: 'RECVs complete for SENDs and WRITEs with immediate alone.',
    },
    { id: 'packets', text: 'Each job takes the packets that its requests need.' },
    { id: 'jobs', text: 'Each possible combination leaves the right data.' },
  ],
  run: runWhichVerb,
});
