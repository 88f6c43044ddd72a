import { attempt, write } from '../bench.js';
import type { FailureCase } from '../case.js';

export const RETRIES = 3;
export const TIMEOUT = 8;

export const peerGone: FailureCase = {
  id: 'peer-gone',
  name: 'The peer is gone',
  symptom: 'ibv_post_send succeeds. After a moment the completion has an error. No packet comes back.',
  cause:
    'The server destroys its QP without telling the client. The operating system does the same with the QPs of a program that is killed.',
  explanation: `Nothing answers. The client waits at least 4.096 µs × 2^${TIMEOUT} = 1.05 ms for an ACK, sends again ${RETRIES} times (retry_cnt) and then completes the request with status 12 (RETRY_EXC_ERR). An RC connection has no keep-alive: without a request the client would not notice.`,
  fix: 'Send a small request now and then, reconnect on status 12, and tell the peer before you leave.',
  expected: {
    status: 12,
    counters: [{ side: 'client', name: 'retry_exceeded_err', atLeast: 1 }],
    atLeastNs: (RETRIES + 1) * 4096 * 2 ** TIMEOUT,
  },
  async run(bench, broken) {
    const pair = await bench.pair({ timeout: TIMEOUT, retryCount: RETRIES });
    const { endpoint, qp } = pair.server;
    if (broken) await endpoint.call('destroy', { what: 'qp', handle: qp.qp });
    return attempt(pair.client, write(pair));
  },
};
