import { defineLab } from '../form/define.js';
import { CQ_OVERRUN_RULES, cqOverrunParams } from './params.js';
import { CQ_OVERRUN_SELF_CHECKS } from './questions.js';
import { runCqOverrun } from './run.js';

export default defineLab({
  id: 'cq-overrun',
  title: 'Completion queue overrun',
  question: 'What happens when a program does not poll, and the completion queue is full?',
  summary:
    'A client posts more and more signaled requests before it polls. One more than the queue holds loses a completion and, by the specification, breaks the connection.',
  short: 'CQ overrun',
  why: 'Late by a millisecond, and the connection is gone.',
  buildsOn: ['signal-every'],
  picture: { sample: 'overrun', stage: 'The 17th', focus: ['client.cq'] },
  track: 'completions',
  order: 6,
  minutes: 4,
  params: cqOverrunParams,
  rules: CQ_OVERRUN_RULES,
  roles: [
    { name: 'client', title: 'Client', text: 'Posts signaled WRITEs and polls late.' },
    { name: 'server', title: 'Server', text: 'Makes no call while the client posts.' },
  ],
  watch: ['completions', 'verbs', 'problems', 'checks'],
  results: {
    figures: [
      { name: 'lost', label: 'Completions lost' },
      { name: 'survived', label: 'Completions polled after the overrun' },
      { name: 'after', label: 'Requests that succeeded after the overrun' },
      { name: 'entries', label: 'Entries of the completion queue', text: 'As the device created it.' },
    ],
    tables: [
      {
        name: 'late',
        label: 'Requests before the first poll',
        columns: [
          { name: 'posted', label: 'Posted' },
          { name: 'polled', label: 'Completions polled' },
          { name: 'lost', label: 'Lost' },
          { name: 'event', label: 'Asynchronous event' },
        ],
      },
      {
        name: 'broken',
        label: 'After the overrun',
        columns: [
          { name: 'what', label: 'Item' },
          { name: 'found', label: 'Found' },
        ],
      },
    ],
    curves: [
      {
        name: 'polled',
        label: 'Completions against requests posted before the first poll',
        text: 'The knee is the size of the completion queue.',
        x: { label: 'Posted before the first poll', unit: 'requests' },
        y: { label: 'Completions', unit: 'completions' },
        series: [
          { name: 'polled', label: 'Polled' },
          { name: 'posted', label: 'Posted' },
        ],
      },
    ],
  },
  predictions: [
    {
      kind: 'choice',
      id: 'qp',
      text: 'The completion queue is full and one more signaled request completes. What does the device do?',
      options: [
        { id: 'waits', text: 'It waits until the program polls' },
        { id: 'goes-on', text: 'It drops the completion and continues' },
        { id: 'error', text: 'It puts the QP into ERR' },
      ],
    },
    {
      kind: 'choice',
      id: 'who',
      text: 'Which QP is in ERR afterward?',
      options: [
        { id: 'client', text: 'Only the client’s' },
        { id: 'both', text: 'Both' },
      ],
    },
  ],
  variations: [
    {
      name: 'larger',
      title: '256 entries',
      text: 'The knee moves; the shape stays.',
      params: { entries: 256 },
    },
    {
      name: 'far-beyond',
      title: '64 requests too many',
      params: { extra: 64 },
    },
    { name: 'udp', title: 'Over UDP', params: { link: 'udp' } },
  ],
  selfChecks: CQ_OVERRUN_SELF_CHECKS,
  // Some devices accept requests after the overrun until their queue is full.
  intends: [{ role: 'client', most: 1, calls: [{ call: 'ibv_post_send', errno: 'ENOMEM' }] }],
  checks: [
    { id: 'fits', text: 'No completion is lost while the queue holds them all.' },
    { id: 'overrun', text: 'One more request loses a completion, and the device reports CQ_ERR.' },
    { id: 'fatal', text: 'The QP that overran its CQ is in ERR (QP_FATAL); its peer is not.' },
    {
      id: 'useless',
      text: 'No request posted after the overrun succeeds, even after a poll.',
    },
    { id: 'resized', text: 'With enough entries, the same requests lose nothing.' },
  ],
  run: runCqOverrun,
});
