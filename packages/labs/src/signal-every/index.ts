import { defineLab } from '../form/define.js';
import { SIGNAL_EVERY_RULES, signalEveryParams } from './params.js';
import { SIGNAL_EVERY_SELF_CHECKS } from './questions.js';
import { runSignalEvery } from './run.js';

export default defineLab({
  id: 'signal-every',
  title: 'Signaling every N-th request',
  question: 'How often should a send request ask for a completion?',
  summary:
    'A client signals every WRITE, every second one, every fourth, and so on. You see rate and CPU time, and what happens when signals come too rarely or never.',
  short: 'Signal every N',
  why: 'Each completion costs an entry to write and one to read.',
  buildsOn: ['write-stages'],
  picture: { sample: 'many-writes', focus: ['client.sq', 'client.cq', 'client.library'] },
  track: 'completions',
  order: 1,
  minutes: 5,
  params: signalEveryParams,
  rules: SIGNAL_EVERY_RULES,
  roles: [
    { name: 'client', title: 'Client', text: 'Posts WRITEs and polls.' },
    { name: 'server', title: 'Server', text: 'Makes no call meanwhile.' },
  ],
  watch: ['completions', 'verbs', 'problems', 'checks'],
  wants: ['faults'],
  results: {
    figures: [
      { name: 'every-one', label: 'Rate with every request signaled', unit: 'k msg/s' },
      { name: 'best', label: 'Highest median rate', unit: 'k msg/s' },
      { name: 'best-every', label: 'Signal every, at the highest rate', unit: 'requests' },
      {
        name: 'knee',
        label: 'Knee: signal every',
        unit: 'requests',
        text: 'Smallest N with 90 % of the highest median. None if 1 or the largest.',
      },
      {
        name: 'room',
        label: 'Requests accepted without a signal',
        unit: 'requests',
        text: 'After that, ibv_post_send fails with ENOMEM.',
      },
    ],
    tables: [
      {
        name: 'counted',
        label: 'Completions for a fixed number of requests',
        columns: [
          { name: 'every', label: 'Signal every' },
          { name: 'requests', label: 'Requests' },
          { name: 'expected', label: 'Completions, computed' },
          { name: 'completions', label: 'Completions, counted' },
        ],
      },
      {
        name: 'queue',
        label: 'A small send queue, and how often it is signaled',
        columns: [
          { name: 'every', label: 'Signal every' },
          { name: 'room', label: 'Accepted until ENOMEM' },
          { name: 'accepted', label: 'Accepted in total' },
          { name: 'completions', label: 'Completions' },
          { name: 'arrived', label: 'Data at the server' },
          { name: 'outcome', label: 'Outcome' },
        ],
      },
    ],
    curves: [
      {
        name: 'rate',
        label: 'Message rate by N',
        text: 'Medians; the range spans the repetitions.',
        x: { label: 'Signal every', unit: 'requests', log: true },
        y: { label: 'Message rate', unit: 'k msg/s' },
      },
      {
        name: 'cpu',
        label: 'CPU time per message by N',
        text: 'The client’s application, NIC work and kernel.',
        x: { label: 'Signal every', unit: 'requests', log: true },
        y: { label: 'CPU time', unit: 'ns' },
      },
    ],
  },
  predictions: [
    {
      kind: 'choice',
      id: 'none',
      text: 'A program posts as fast as it can, never signals, and every WRITE succeeds. What happens?',
      options: [
        { id: 'runs', text: 'It keeps running' },
        { id: 'full', text: 'The send queue fills, and posting fails' },
        { id: 'overrun', text: 'The completion queue overruns' },
      ],
    },
    {
      kind: 'choice',
      id: 'gain',
      text: 'Is the best setting clearly faster than signaling every request?',
      options: [
        { id: 'faster', text: 'Yes, beyond the spread' },
        { id: 'same', text: 'No clear difference' },
      ],
    },
  ],
  variations: [
    {
      name: 'polling',
      title: 'The client polls',
      params: { wait: 'poll' },
    },
    {
      name: 'large-messages',
      title: '16 KiB messages',
      params: { size: 16_384 },
    },
    {
      name: 'single-posts',
      title: 'One request per post',
      text: 'Each request takes a call of its own.',
      params: { postList: 1 },
    },
    { name: 'udp', title: 'Over UDP', params: { link: 'udp' } },
  ],
  selfChecks: SIGNAL_EVERY_SELF_CHECKS,
  // A full queue is tried again until an ACK frees a slot, so timing decides how often.
  intends: [{ role: 'client', calls: [{ call: 'ibv_post_send', errno: 'ENOMEM' }] }],
  checks: [
    { id: 'counted', text: 'Every signaled request produces one completion, and no others come.' },
    { id: 'silent', text: 'Unsignaled requests produce no completion, but their data arrives.' },
    { id: 'full', text: 'Without signals the send queue fills, and posting fails with ENOMEM.' },
    {
      id: 'too-rare',
      text: 'With less than one signal per send queue, no completion comes.',
    },
    { id: 'often-enough', text: 'One completion frees the slots of all requests up to it.' },
  ],
  run: runSignalEvery,
});
