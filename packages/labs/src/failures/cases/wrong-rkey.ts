import { attempt, write } from '../bench.js';
import type { FailureCase } from '../case.js';
import { REMOTE_ACCESS, REMOTE_ACCESS_SYMPTOM } from '../remote-access.js';

export const wrongRkey: FailureCase = {
  id: 'wrong-rkey',
  name: 'A wrong rkey',
  symptom: REMOTE_ACCESS_SYMPTOM,
  cause: 'One bit of the rkey is flipped on its way to the client.',
  explanation:
    'The server’s device finds no region with this rkey. It answers with NAK 0x62 (remote access error). The client’s request completes with status 10 (REM_ACCESS_ERR), and the server gets the event QP_ACCESS_ERR. Both QPs go to ERR.',
  fix: 'Send the rkey that ibv_reg_mr returned, and agree on the byte order.',
  expected: REMOTE_ACCESS,
  async run(bench, broken) {
    const pair = await bench.pair();
    const { addr, rkey } = pair.server.mr;
    // The upper bits name the region; the lowest eight are a tag that the owner may choose.
    return attempt(pair.client, {
      ...write(pair),
      remote: { addr, rkey: broken ? (rkey ^ 0x0100) >>> 0 : rkey },
    });
  },
};
