import { attempt, postRecv, send } from '../bench.js';
import type { FailureCase } from '../case.js';
import { RETRY_COUNTERS } from '../intended.js';

/** 0.06 ms between tries: the lab is over soon. */
const MIN_RNR_TIMER = 5;
export const RNR_RETRY = 3;

export const missingRecv: FailureCase = {
  id: 'missing-recv',
  name: 'A SEND without a RECV, limited rnr_retry',
  symptom: 'ibv_post_send succeeds. After a moment the completion has an error. The peer’s QP is unharmed.',
  cause: `The server has posted no RECV. The client’s rnr_retry is ${RNR_RETRY}.`,
  explanation:
    'The server’s device has nowhere to put the message and answers with an RNR NAK. The client waits for the time that the NAK names and sends again, rnr_retry times. Then the request completes with status 13 (RNR_RETRY_EXC_ERR).',
  fix: 'Post RECVs before the peer may send, and replace each one that is used.',
  expected: {
    status: 13,
    counters: [{ side: 'server', name: 'send_rnr_err', atLeast: RNR_RETRY + 1 }],
  },
  also: [{ role: 'client', counters: ['retry_rnr_exceeded_err', ...RETRY_COUNTERS] }],
  async run(bench, broken) {
    const pair = await bench.pair({ rnrRetry: RNR_RETRY }, { minRnrTimer: MIN_RNR_TIMER });
    if (!broken) await postRecv(pair);
    return attempt(pair.client, send(pair));
  },
};
