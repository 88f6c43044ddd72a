import { attempt, write } from '../bench.js';
import type { FailureCase } from '../case.js';
import { RETRY_COUNTERS } from '../intended.js';
import { RC_NAK } from '../syndromes.js';

export const psnMismatch: FailureCase = {
  id: 'psn-mismatch',
  name: 'PSNs that do not match',
  symptom: 'ibv_post_send succeeds. The completion has an error that is also seen when the peer is gone.',
  cause: 'The client sends its first packet with a PSN 100 above the rq_psn that the server was given.',
  explanation:
    'The server waits for another PSN and takes the packet for one after a gap. It asks for the missing ones with NAK 0x60 (PSN sequence error), which the client never sent. After retry_cnt tries the request completes with status 12 (RETRY_EXC_ERR).',
  fix: 'Exchange both PSNs: your sq_psn is the peer’s rq_psn.',
  expected: {
    status: 12,
    nak: RC_NAK.sequence,
    counters: [{ side: 'server', name: 'out_of_sequence', atLeast: 1 }],
  },
  also: [{ role: 'client', counters: ['retry_exceeded_err', 'packet_seq_err', ...RETRY_COUNTERS] }],
  async run(bench, broken) {
    const pair = await bench.sides({ timeout: 8, retryCount: 3 });
    const { client, server } = pair;
    const psn = client.qp.info.psn;
    server.settings = { expectPsn: broken ? (psn - 100 + 0x100_0000) & 0xff_ffff : psn };
    await bench.connectSide(server, client);
    await bench.connectSide(client, server);
    await bench.settle(pair.client, pair.server);
    return attempt(client, write(pair));
  },
};
