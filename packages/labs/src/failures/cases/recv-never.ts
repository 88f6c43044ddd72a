import { attempt, postRecv, send } from '../bench.js';
import type { FailureCase } from '../case.js';
import { RETRY_COUNTERS } from '../intended.js';

/** Time that the lab watches, ms: hundreds of tries at 0.06 ms. */
const WATCHED_MS = 100;
const MIN_RNR_TIMER = 5;

export const recvNever: FailureCase = {
  id: 'recv-never',
  name: 'A SEND without a RECV, with rnr_retry 7',
  symptom: 'ibv_post_send succeeds. No completion comes, good or bad. Both QPs stay in RTS.',
  cause: 'The server has posted no RECV. The client’s rnr_retry is 7.',
  explanation:
    'rnr_retry 7 does not mean seven times. It means without limit. The client sends again after each RNR NAK for as long as the QP exists. When the RECV is posted at last, the SEND completes with status 0.',
  fix: 'Post RECVs before the peer may send. Use rnr_retry 0 to 6 where you prefer an error to waiting.',
  expected: { status: null, counters: [{ side: 'server', name: 'send_rnr_err', atLeast: 8 }] },
  also: [{ role: 'client', counters: [...RETRY_COUNTERS] }],
  async run(bench, broken) {
    const pair = await bench.pair({ rnrRetry: 7 }, { minRnrTimer: MIN_RNR_TIMER });
    if (!broken) {
      await postRecv(pair);
      return attempt(pair.client, send(pair));
    }
    const first = await attempt(pair.client, send(pair), WATCHED_MS);
    const waiting = first.status === null;
    await postRecv(pair);
    const { completions } = await bench.client.call('waitCq', {
      cq: pair.client.cq,
      count: 1,
      timeoutMs: 5000,
    });
    return {
      ...first,
      seen: waiting
        ? `No completion came in ${WATCHED_MS} ms. When the RECV was posted, the SEND completed with status ${completions[0]?.status ?? 'none'}.`
        : first.seen,
    };
  },
};
