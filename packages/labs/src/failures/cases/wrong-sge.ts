import { attempt, REGION, write } from '../bench.js';
import type { FailureCase } from '../case.js';

export const wrongSge: FailureCase = {
  id: 'wrong-sge',
  name: 'An SGE that reaches beyond its region',
  symptom: 'ibv_post_send succeeds. The completion has a local error, and no packet reaches the peer.',
  cause: 'The SGE begins 32 B before the end of the client’s region and is 64 B long.',
  explanation:
    'The lkey is right, but the range is not inside the region. The device finds that when it executes the request: status 4 (LOC_PROT_ERR), and the QP goes to ERR.',
  fix: 'Check offset + length against the length that you registered.',
  expected: { status: 4, noPackets: true },
  also: [{ role: 'client', counters: ['send_err'] }],
  async run(bench, broken) {
    const pair = await bench.pair();
    const offset = REGION - (broken ? 32 : 64);
    return attempt(pair.client, {
      ...write(pair),
      local: [{ mr: pair.client.mr.mr, offset, length: 64 }],
    });
  },
};
