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
    'Two QPs go from RESET to RTS. The client makes many mistakes on the way. Then timeout, min_rnr_timer and max_rd_atomic are tried, with 0 unless you change them.',
  track: 'foundations',
  minutes: 8,
  order: 3,
  params: qpStatesParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Makes the mistakes, then sends.' },
    { name: 'server', title: 'Server', text: 'Makes the correct calls, and has no RECV at first.' },
  ],
  watch: ['packets', 'verbs', 'completions', 'checks'],
  results: {
    figures: [
      { name: 'refused', label: 'Refused mistakes on the way to RTS' },
      {
        name: 'after-loss',
        label: 'Time until the request with the lost packet completed',
        unit: 'ms',
        text: 'Measured at the client. No value: it did not complete while the run watched it (0.4 s with timeout 0, otherwise 10 s), or the device cannot drop a packet.',
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
        text: 'Measured at the client. The RECV was posted as soon as the server had refused the SEND once.',
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
        label: 'What the three values did',
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
        { id: 'allowed', text: 'Yes: RESET to RTS in one call' },
        { id: 'refused', text: 'No: each state needs its own call' },
      ],
    },
    {
      kind: 'choice',
      id: 'lost-packet',
      text: 'A QP has the timeout that you chose (0 by default), and its only packet is lost. What happens to the request?',
      options: [
        { id: 'fails', text: 'It fails at once: there is no time to wait' },
        { id: 'repeats', text: 'The device retransmits, and it succeeds' },
        { id: 'never', text: 'Nothing: neither success nor failure' },
      ],
    },
    {
      kind: 'number',
      id: 'rnr',
      text: 'The responder has no RECV, and the min_rnr_timer that you chose (0 by default). How long does the SEND take, if the RECV is posted right after the first RNR NAK?',
      unit: 'ms',
      figure: 'rnr-wait',
    },
  ],
  variations: [
    {
      name: 'usual',
      title: 'The usual values',
      text: 'timeout 14, min_rnr_timer 12, max_rd_atomic 1: the loss is repaired, and the READ works.',
      params: { timeout: 14, minRnrTimer: 12, maxRdAtomic: 1 },
    },
    {
      name: 'shortest',
      title: 'The shortest RNR wait',
      text: 'Code 1 is 0.01 ms. Code 0 is not shorter.',
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
    { id: 'mistakes-refused', text: 'Every mistake is refused and leaves the QP in its state.' },
    { id: 'right-way', text: 'The QP goes through RESET, INIT, RTR, RTS.' },
    { id: 'masks', text: 'The masks of the correct transitions are 0x39, 0x129181 and 0x12e01.' },
    { id: 'rts-works', text: 'In RTS, a WRITE succeeds.' },
    { id: 'err-flushes', text: 'ERR completes what was waiting with WR_FLUSH_ERR.' },
    { id: 'only-reset', text: 'From ERR the QP can go only to RESET.' },
    {
      id: 'timeout',
      text: 'With timeout 0 nothing is sent again in 0.4 s; any other code retransmits after its time.',
    },
    { id: 'rnr-timer', text: 'A SEND without a RECV waits at least as long as min_rnr_timer says.' },
    { id: 'rd-atomic', text: 'max_rd_atomic 0 forbids READs; 1 allows them.' },
  ],
  wants: ['tap', 'faults', 'counters'],
  run: runQpStates,
});
