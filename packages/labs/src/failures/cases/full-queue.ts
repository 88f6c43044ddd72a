import { plural } from '../../base/format.js';
import { refusal, write } from '../bench.js';
import type { FailureCase } from '../case.js';
import { RETRY_COUNTERS } from '../intended.js';
import { RC_NAK } from '../syndromes.js';

const DEPTH = 16;
/** Devices may round the depth up. */
const MOST = 256;

export const fullQueue: FailureCase = {
  id: 'full-queue',
  name: 'More requests than the send queue holds',
  symptom: 'The first posts succeed. Then ibv_post_send fails, and the QP is still in RTS.',
  cause: `The client posts to a send queue of ${DEPTH} without waiting for completions, while the server’s QP is not ready and acknowledges nothing.`,
  explanation:
    'A send queue holds max_send_wr requests. On most devices a slot is free again when a completion for its request, or for a later one, was polled. Until then ibv_post_send refuses the next request with ENOMEM. It has nothing to do with the memory of the machine, and the requests that were accepted go on: when the server’s QP is ready, they all complete.',
  fix: 'Count the requests under way. Poll completions before you post more than max_send_wr.',
  // The server may become ready in the middle of a retransmission, and then misses the packets before.
  expected: {
    status: null,
    refused: { call: 'ibv_post_send', errno: 'ENOMEM' },
    mayNak: RC_NAK.sequence,
  },
  also: [
    { role: 'client', counters: ['packet_seq_err', ...RETRY_COUNTERS] },
    { role: 'server', counters: ['out_of_sequence'] },
  ],
  async run(bench, broken) {
    const pair = await bench.sides({ depth: DEPTH, cqDepth: 2 * MOST, timeout: 14 });
    const { client, server } = pair;
    const { endpoint, qp, cq } = client;
    await bench.connectSide(client, server);
    const wanted = broken ? MOST : DEPTH;
    let accepted = 0;
    let errno: string | null = null;
    while (accepted < wanted && errno === null) {
      const wr = { ...write(pair, 8), wrId: accepted };
      errno = await refusal(endpoint.call('postSend', { qp: qp.qp, wr }));
      if (errno === null) accepted++;
    }
    await bench.connectSide(server, client);
    const { completions } = await endpoint.call('waitCq', { cq, count: accepted, timeoutMs: 5000 });
    const good = completions.filter(({ status }) => status === 0).length;
    return {
      status: errno === null ? (completions[0]?.status ?? null) : null,
      errno,
      elapsedNs: null,
      worked: errno === null && good === accepted,
      seen: `${plural(accepted, 'post')} ${accepted === 1 ? 'was' : 'were'} accepted. When the server was ready, ${good} of them completed with status 0.`,
    };
  },
};
