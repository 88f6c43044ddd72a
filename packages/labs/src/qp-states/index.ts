import { defineLab } from '../form/define.js';
import { qpStatesParams } from './params.js';
import { RETRY_COUNTERS } from '../failures/intended.js';
import { QP_STATES_QUESTIONS } from './questions.js';
import { runQpStates } from './run.js';

export default defineLab({
  id: 'qp-states',
  title: 'The states of a QP',
  question: 'Which states does a QP go through, and what does each step need?',
  summary:
    'Two QPs go from RESET to RTS, and the client makes many mistakes. Then timeout, min_rnr_timer and max_rd_atomic are tried, with 0 unless you change them.',
  short: 'QP states',
  why: 'EINVAL names no reason, and wrong timers can hang a request.',
  buildsOn: ['minimal-flow'],
  picture: { sample: 'connect', states: true, focus: ['client.device', 'server.device', 'client.program'] },
  track: 'foundations',
  minutes: 8,
  order: 3,
  params: qpStatesParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Makes the mistakes, then sends.' },
    { name: 'server', title: 'Server', text: 'Makes the correct calls.' },
  ],
  watch: ['packets', 'verbs', 'completions', 'checks'],
  results: {
    headline: { table: 'calls', columns: ['from', 'what', 'to'] },
    figures: [
      { name: 'refused', label: 'Refused mistakes on the way to RTS' },
      {
        name: 'after-loss',
        label: 'Time until the request with the lost packet completed',
        unit: 'ms',
        text: 'None: not complete in 0.4 s (timeout 0) or 10 s, or no packet dropped.',
      },
      {
        name: 'rnr-code',
        label: 'Wait that min_rnr_timer asks for',
        unit: 'ms',
        digits: 5,
        text: 'From the table of the InfiniBand specification.',
      },
      {
        name: 'rnr-wait',
        label: 'Time until the SEND without a RECV completed',
        unit: 'ms',
        digits: 5,
        text: 'At the client. The RECV came as soon as the SEND was refused once.',
      },
    ],
    tables: [
      {
        name: 'calls',
        label: 'Every ibv_modify_qp of the client, from RESET through RTS and ERR back to RESET',
        columns: [
          { name: 'from', label: 'State before' },
          { name: 'what', label: 'Asked for' },
          { name: 'mask', label: 'attr_mask' },
          { name: 'answer', label: 'Answer' },
          { name: 'to', label: 'State after' },
        ],
      },
      {
        name: 'zeros',
        label: 'What the values did',
        columns: [
          { name: 'value', label: 'Attribute' },
          { name: 'request', label: 'Request' },
          { name: 'status', label: 'Status' },
        ],
      },
    ],
  },
  predictions: [
    {
      kind: 'choice',
      id: 'skip',
      text: 'All attributes are known. May a program skip INIT and RTR?',
      options: [
        { id: 'allowed', text: 'Yes' },
        { id: 'refused', text: 'No' },
      ],
    },
    {
      kind: 'choice',
      id: 'lost-packet',
      text: 'A QP has your timeout (0 by default), and its only packet is lost. What happens to the request?',
      options: [
        { id: 'fails', text: 'It fails' },
        { id: 'repeats', text: 'It is retransmitted and succeeds' },
        { id: 'never', text: 'Neither: it stays pending' },
      ],
    },
    {
      kind: 'number',
      id: 'rnr',
      text: 'A RECV comes right after the first RNR NAK of your min_rnr_timer (0 by default). How long does the SEND take?',
      unit: 'ms',
      figure: 'rnr-wait',
    },
  ],
  variations: [
    {
      name: 'usual',
      title: 'The usual values',
      text: 'The loss is repaired.',
      params: { timeout: 14, minRnrTimer: 12, maxRdAtomic: 1 },
    },
    {
      name: 'shortest',
      title: 'The shortest RNR wait',
      text: 'Code 1 is 0.01 ms.',
      params: { minRnrTimer: 1 },
    },
    { name: 'through-udp', title: 'Through UDP sockets', params: { link: 'udp' } },
  ],
  selfChecks: QP_STATES_QUESTIONS,
  // A packet that the client loses, and a SEND before its RECV.
  intends: [
    { role: 'client', counters: [...RETRY_COUNTERS] },
    { role: 'server', counters: ['send_rnr_err'] },
  ],
  checks: [
    { id: 'mistakes-refused', text: 'Every mistake is refused, and the QP keeps its state.' },
    { id: 'right-way', text: 'The QP goes through RESET, INIT, RTR, RTS.' },
    { id: 'masks', text: 'The masks are 0x39, 0x129181 and 0x12e01.' },
    { id: 'rts-works', text: 'In RTS, a WRITE succeeds.' },
    { id: 'err-flushes', text: 'ERR completes what waited with WR_FLUSH_ERR.' },
    { id: 'only-reset', text: 'From ERR the QP can go only to RESET.' },
    {
      id: 'timeout',
      text: 'Timeout 0 sends nothing again in 0.4 s; other codes retransmit after their time.',
    },
    { id: 'rnr-timer', text: 'A SEND without a RECV waits at least the time of min_rnr_timer.' },
    { id: 'rd-atomic', text: 'A READ does not work with max_rd_atomic 0, and works with 1.' },
  ],
  wants: ['tap', 'faults', 'counters'],
  run: runQpStates,
});
