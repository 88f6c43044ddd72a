import { completionFailed } from '@verbslab/protocol';
import { attempt, write } from '../bench.js';
import type { FailureCase } from '../case.js';
import { RETRY_COUNTERS } from '../intended.js';

const RETRIES = 3;
/** A busy machine answers in that time. */
const TIMEOUT = 12;
/** On another host the process may answer for a moment after the run has let it go. */
const LAST_ANSWERS = 100;

export const peerGone: FailureCase = {
  id: 'peer-gone',
  name: 'The peer’s process was killed',
  symptom: 'ibv_post_send succeeds. After a moment the completion has an error. No packet comes back.',
  cause:
    'The peer’s process is killed (SIGKILL) after a WRITE that succeeded. It cannot say goodbye, and its QP goes with it.',
  explanation: `Nothing answers. The client waits at least 4.096 µs × 2^${TIMEOUT} = 16.8 ms for an ACK, sends again ${RETRIES} times (retry_cnt) and then completes the request with status 12 (RETRY_EXC_ERR). An RC connection has no keep-alive: without a request the client would not notice. A peer that destroys its QP, or a cut cable, looks the same.`,
  fix: 'Send a small request now and then, reconnect on status 12, and tell the peer before you leave.',
  expected: {
    status: 12,
    counters: [{ side: 'client', name: 'retry_exceeded_err', atLeast: 1 }],
    atLeastNs: (RETRIES + 1) * 4096 * 2 ** TIMEOUT,
  },
  also: [{ role: 'client', counters: [...RETRY_COUNTERS] }],
  async run(bench, broken) {
    const peer = broken ? bench.victim : bench.server;
    const pair = await bench.pair({ timeout: TIMEOUT, retryCount: RETRIES }, {}, {}, peer);
    if (!broken) return attempt(pair.client, write(pair));
    const before = await attempt(pair.client, write(pair));
    if (before.status !== 0)
      throw completionFailed('The WRITE before the peer was killed', before.status ?? -1);
    await bench.kill(pair.server);
    let last = await attempt(pair.client, write(pair));
    for (let i = 0; i < LAST_ANSWERS && last.status === 0; i++)
      last = await attempt(pair.client, write(pair));
    return { ...last, seen: `A WRITE before it completed with status ${before.status}. ${last.seen}` };
  },
};
