import { attempt, write } from '../bench.js';
import type { FailureCase } from '../case.js';

export const wrongState: FailureCase = {
  id: 'wrong-state',
  name: 'A post to a QP not in RTS',
  symptom: 'ibv_post_send fails at once. No packet is sent.',
  cause: 'The client posts while its QP is still in INIT.',
  explanation:
    'Only RECVs may be posted in INIT. ibv_post_send returns EINVAL in RESET, INIT and RTR. In ERR it accepts the request and completes it with status 5 (WR_FLUSH_ERR).',
  fix: 'Move the QP through RTR to RTS before the first post, and check what each ibv_modify_qp returns.',
  expected: { status: null, refused: { call: 'ibv_post_send', errno: 'EINVAL' }, noPackets: true },
  async run(bench, broken) {
    const pair = await bench.sides();
    const { client, server } = pair;
    if (broken) await bench.toInit(client);
    else {
      await bench.connectSide(server, client);
      await bench.connectSide(client, server);
      await bench.settle(pair.client, pair.server);
    }
    return attempt(client, write(pair));
  },
};
