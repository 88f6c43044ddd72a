import { defineLab } from '../form/define.js';
import { RETRY_COUNTERS } from '../failures/intended.js';
import { numberCheck } from '../form/self-checks.js';
import { retryTimersParams } from './params.js';
import { RESULTS } from './results.js';
import { runRetryTimers } from './run.js';
import { timeoutMs } from '../formulas/retry-timers.js';

export default defineLab({
  id: 'retry-timers',
  title: 'How long until a connection gives up?',
  question: 'How long does a QP try before it reports an error?',
  summary:
    'The client writes to a QP that no longer exists, with growing timeouts, and to a QP without a RECV, with growing rnr_retry. You see the time until each error.',
  short: 'Retry timers',
  why: 'A dead peer can hang a request for seconds.',
  buildsOn: ['acknowledgments'],
  picture: { sample: 'send-without-recv', focus: ['client.sq', 'client.device', 'wire'] },
  track: 'failures',
  minutes: 5,
  order: 3,
  params: retryTimersParams,
  roles: [
    { name: 'client', title: 'Client', text: 'Sends, and waits for the error.' },
    { name: 'server', title: 'Server', text: 'Destroys its QP, or posts no RECV.' },
  ],
  watch: ['packets', 'checks', 'verbs', 'completions', 'problems', 'counters'],
  results: RESULTS,
  predictions: [
    {
      kind: 'number',
      id: 'ackTime',
      text: 'How long does the client try to reach a peer that is gone, at the largest timeout (by default 10, with retry_cnt 3)?',
      unit: 'ms',
      figure: 'ackTime',
    },
    {
      kind: 'choice',
      id: 'times',
      text: 'How does the measured time compare with 4.096 µs × 2^timeout × (retry_cnt + 1)?',
      options: [
        { id: 'shorter', text: 'It is shorter' },
        { id: 'exact', text: 'It is the same, within 10 %' },
        { id: 'longer', text: 'It is longer' },
      ],
    },
  ],
  variations: [
    { name: 'no-retry', title: 'No retry', params: { retries: 0 } },
    { name: 'seven', title: 'retry_cnt 7', params: { retries: 7, repeat: 1 } },
    { name: 'usual', title: 'timeout 14, the usual value', params: { timeout: 14, repeat: 1 } },
    { name: 'udp', title: 'Through UDP sockets', params: { link: 'udp' } },
  ],
  selfChecks: [
    numberCheck({
      id: 'usual',
      numbers: { timeout: [12, 14, 16, 18], retries: { min: 1, max: 7 } },
      text: ({ timeout, retries }) =>
        `timeout is ${timeout} and retry_cnt is ${retries}. For how long does the client try, at least?`,
      answer: ({ timeout, retries }) => timeoutMs(timeout) * (retries + 1),
      unit: 'ms',
      worked: ({ timeout, retries }) =>
        `One wait is 4.096 µs × 2^${timeout} = ${timeoutMs(timeout).toPrecision(4)} ms. The first try and ${retries} more take ${(timeoutMs(timeout) * (retries + 1)).toPrecision(4)} ms.`,
    }),
    numberCheck({
      id: 'rnr',
      numbers: { retries: { min: 1, max: 6 } },
      text: ({ retries }) =>
        `min_rnr_timer is 0 and rnr_retry is ${retries}. How long does a SEND without a RECV take to fail, at least?`,
      answer: ({ retries }) => 655.36 * retries,
      unit: 'ms',
      worked: ({ retries }) =>
        `Timer 0 is 655.36 ms. ${retries} waits take ${(655.36 * retries).toFixed(2)} ms.`,
    }),
  ],
  intends: [
    { role: 'client', counters: ['retry_exceeded_err', 'retry_rnr_exceeded_err', ...RETRY_COUNTERS] },
    { role: 'server', counters: ['send_rnr_err'] },
  ],
  checks: [
    { id: 'ack-status', text: 'A peer that is gone gives status 12.' },
    { id: 'ack-least', text: 'No such request fails before (retry_cnt + 1) timeouts.' },
    { id: 'ack-tries', text: 'The device retransmits exactly retry_cnt times.' },
    { id: 'rnr-status', text: 'A missing RECV gives status 13, with rnr_retry 0 to 6.' },
    { id: 'rnr-least', text: 'No such request fails before rnr_retry waits of min_rnr_timer.' },
    { id: 'rnr-tries', text: 'The device retransmits exactly rnr_retry times.' },
  ],
  wants: ['counters', 'tap'],
  run: runRetryTimers,
});
