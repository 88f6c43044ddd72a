import { attempt, write } from '../bench.js';
import type { FailureCase } from '../case.js';
import { counted, untilCounted } from '../counted.js';
import { RETRY_COUNTERS } from '../intended.js';

const WATCHED_MS = 300;
/** Packets for a QP that does not take them in its state. */
const DROPPED = 'wrong_state_pkts';

export const timeoutZero: FailureCase = {
  id: 'timeout-zero',
  name: 'timeout 0',
  symptom: 'ibv_post_send succeeds. No completion comes, good or bad, although the peer is well.',
  cause:
    'The client’s timeout is 0. Its first packet arrives before the server’s QP is in RTR, and is dropped.',
  explanation:
    'Timeout 0 is no short timeout. It switches the timer off, so the device waits for the ACK forever and never retransmits. One lost packet then stops the QP without any error. With timeout 14 the device waits 4.096 µs × 2¹⁴ = 67 ms and sends again.',
  fix: 'Set timeout to 14 or so, and retry_cnt to 7.',
  expected: { status: null },
  also: [{ role: 'client', counters: [...RETRY_COUNTERS] }],
  async run(bench, broken) {
    const pair = await bench.sides({ timeout: broken ? 0 : 14 });
    const { client, server } = pair;
    await bench.connectSide(client, server);
    // Until then the packet would wait, and arrive later.
    await bench.settle(client);
    const before = await counted(server.endpoint, DROPPED);
    const sending = attempt(client, write(pair), broken ? WATCHED_MS : 5000);
    // Commands run in order: the answer to this one comes after the request was posted.
    await client.endpoint.call('queryQp', { qp: client.qp.qp });
    // On a busy machine it may have arrived and not been read yet.
    await untilCounted(server.endpoint, DROPPED, before);
    await bench.connectSide(server, client);
    const done = await sending;
    return done.status === null
      ? { ...done, seen: `No completion came in ${WATCHED_MS} ms. ${done.seen}` }
      : done;
  },
};
