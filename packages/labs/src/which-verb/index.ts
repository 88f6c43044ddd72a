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
  'send-message': 'SEND: the data goes where the target’s RECV says, and the target gets one completion.',
  'write-push': 'WRITE: the data goes where the initiator says, and the target gets no completion.',
  'imm-tag':
    'WRITE with immediate: the data goes to that address too, and the target gets one completion with the immediate data.',
  'read-pull': 'READ: the data comes to the initiator, and the target gets no completion.',
  'atomic-word': 'FETCH_ADD: 8 bytes change, the old value comes back, and the target gets no completion.',
};

export default defineLab({
  id: 'which-verb',
  title: 'Which verb for which job',
  question: 'Which verb fits which job?',
  summary:
    'Seven jobs are tried with SEND, WRITE, WRITE with immediate, READ and FETCH_ADD. You see how long each takes, its packets, who posts what, what the passive side’s CPU does, and why some verbs cannot do a job.',
  track: 'verbs',
  minutes: 5,
  order: 11,
  params: whichVerbParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Sends requests, transfers and messages.' },
    {
      name: 'other',
      title: 'Other client',
      text: 'Reads the same value and adds to the same counter.',
      count: { param: 'others' },
    },
    { name: 'server', title: 'Server', text: 'Serves, or does nothing at all, depending on the verb.' },
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
    { name: 'quick', title: 'Quick', text: 'Two short repetitions.', params: { rounds: 10, repeat: 2 } },
    {
      name: 'polling',
      title: 'Both sides poll',
      text: 'A passive side that polls needs no wake-up, and uses a core while it waits.',
      params: { wait: 'poll' },
    },
    {
      name: 'crowd',
      title: 'Four clients',
      text: 'With more clients, a server that answers by program has more answers to give.',
      params: { others: 3 },
    },
    {
      name: 'megabyte',
      title: '1 MiB transfers',
      text: 'With a long transfer, an additional round trip matters less.',
      params: { large: 1024 * 1024 },
    },
    { name: 'through-udp', title: 'Through UDP sockets', params: { link: 'udp' } },
  ],
  selfChecks: WHICH_VERB_QUESTIONS,
  checks: [
    ...RULES.map(({ check }) => ({ id: check, text: RULE_TEXT[check]! })),
    { id: 'rights', text: 'Without the right of its own, each one-sided verb is refused with status 10.' },
    { id: 'unknown-address', text: 'With a guessed rkey, a request is refused with status 10.' },
    { id: 'eight-bytes', text: 'An atomic of more than 8 bytes is refused.' },
    { id: 'lost-updates', text: 'With READ and WRITE, one increment per round is left.' },
    { id: 'stale', text: 'A READ brings old data again, with status 0.' },
    {
      id: 'notified',
      text: 'A RECV of the passive side completes for each SEND and each WRITE with immediate of the initiator, and for nothing else.',
    },
    { id: 'packets', text: 'Each job takes the packets that its requests need at the path MTU.' },
    { id: 'jobs', text: 'Each combination that can do its job leaves the right data.' },
  ],
  run: runWhichVerb,
});
