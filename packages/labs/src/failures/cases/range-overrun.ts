import { attempt, further, REGION, write } from '../bench.js';
import type { FailureCase } from '../case.js';
import { REMOTE_ACCESS, REMOTE_ACCESS_SYMPTOM } from '../remote-access.js';

export const rangeOverrun: FailureCase = {
  id: 'range-overrun',
  name: 'A WRITE beyond the remote region',
  symptom: REMOTE_ACCESS_SYMPTOM,
  cause: 'The WRITE begins 32 B before the end of the server’s region and is 64 B long.',
  explanation:
    'The RETH says address, rkey and length. The server’s device checks all three before it places a byte: NAK 0x62, status 10 (REM_ACCESS_ERR). The first 32 B are not written either.',
  fix: 'Exchange the length of the region as well, and check against it before you post.',
  expected: REMOTE_ACCESS,
  async run(bench, broken) {
    const pair = await bench.pair();
    const { addr, rkey } = pair.server.mr;
    const at = REGION - (broken ? 32 : 64);
    return attempt(pair.client, { ...write(pair), remote: { addr: further(addr, at), rkey } });
  },
};
