import { attempt, postRecv, send } from '../bench.js';
import type { FailureCase } from '../case.js';
import { RETRY_COUNTERS } from '../intended.js';
import { sendThenRecv } from '../late-recv.js';

export const lateRecv: FailureCase = {
  id: 'late-recv',
  name: 'A RECV that is posted too late',
  symptom: 'Everything succeeds with status 0, but the message takes far longer than others.',
  cause: 'The server connects, lets the client send, and posts its RECV afterwards.',
  explanation:
    'The first SEND found no RECV. It got through only because the device repeated it after an RNR NAK. The program has a race that rnr_retry hides: with rnr_retry 0 the same order fails with status 13.',
  fix: 'Post the first RECVs in INIT, before the connection exists.',
  expected: {
    status: 0,
    worked: true,
    counters: [{ side: 'server', name: 'send_rnr_err', atLeast: 1 }],
  },
  also: [{ role: 'client', counters: [...RETRY_COUNTERS] }],
  async run(bench, broken) {
    const pair = await bench.pair({ rnrRetry: 7 }, { minRnrTimer: 18 });
    if (broken) return sendThenRecv(bench, pair);
    await postRecv(pair);
    return attempt(pair.client, send(pair));
  },
};
