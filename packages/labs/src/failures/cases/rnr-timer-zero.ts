import type { FailureCase } from '../case.js';
import { RETRY_COUNTERS } from '../intended.js';
import { sendThenRecv } from '../late-recv.js';

export const rnrTimerZero: FailureCase = {
  id: 'rnr-timer-zero',
  name: 'min_rnr_timer 0',
  symptom:
    'Everything succeeds with status 0. A message whose RECV came a little late stalls for more than half a second.',
  cause: 'The server’s min_rnr_timer is 0, and its RECV comes a little late.',
  explanation:
    'The timer is an index into a table, not a number of units. 0 is its longest entry, 655.36 ms; 1 is the shortest, 0.01 ms. The client waits at least so long after one RNR NAK. The fixed version also posts its RECV late, with timer 12 (0.64 ms).',
  fix: 'Set min_rnr_timer to 12 or so. Never leave it at 0 because the struct was cleared.',
  expected: {
    status: 0,
    worked: true,
    atLeastNs: 655.36e6,
    counters: [{ side: 'server', name: 'send_rnr_err', atLeast: 1 }],
  },
  also: [{ role: 'client', counters: [...RETRY_COUNTERS] }],
  async run(bench, broken) {
    const pair = await bench.pair({ rnrRetry: 7 }, { minRnrTimer: broken ? 0 : 12 });
    return sendThenRecv(bench, pair);
  },
};
