import { attempt, write } from '../bench.js';
import type { FailureCase } from '../case.js';
import { REMOTE_ACCESS, REMOTE_ACCESS_SYMPTOM } from '../remote-access.js';

export const missingRight: FailureCase = {
  id: 'missing-right',
  name: 'A missing access right',
  symptom: REMOTE_ACCESS_SYMPTOM,
  cause: 'The server registered its region with REMOTE_READ only. The client WRITEs.',
  explanation:
    'Address and rkey are right, but the region does not grant REMOTE_WRITE. The answer is the same as for a wrong rkey: NAK 0x62, status 10. A peer cannot tell the two apart, which is intended.',
  fix: 'Grant the right to the region and to the QP. Both must have it.',
  expected: REMOTE_ACCESS,
  async run(bench, broken) {
    const pair = await bench.pair({}, broken ? { rights: ['LOCAL_WRITE', 'REMOTE_READ'] } : {});
    return attempt(pair.client, write(pair));
  },
};
