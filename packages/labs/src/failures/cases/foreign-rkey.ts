import { attempt, write } from '../bench.js';
import type { FailureCase } from '../case.js';
import { REMOTE_ACCESS, REMOTE_ACCESS_SYMPTOM } from '../remote-access.js';

export const foreignRkey: FailureCase = {
  id: 'foreign-rkey',
  name: 'The rkey of another region',
  symptom: REMOTE_ACCESS_SYMPTOM,
  cause: 'The server has two regions. The client takes the address of one and the rkey of the other.',
  explanation:
    'The rkey exists, but the address is not inside its region. The device checks both together: NAK 0x62, status 10 (REM_ACCESS_ERR). An rkey opens its own region and no other memory.',
  fix: 'Keep address, length and rkey of a region together in one record.',
  expected: REMOTE_ACCESS,
  async run(bench, broken) {
    const pair = await bench.pair();
    const other = await bench.region(bench.server, pair.server.pd);
    const { addr, rkey } = pair.server.mr;
    return attempt(pair.client, {
      ...write(pair),
      remote: { addr, rkey: broken ? other.rkey : rkey },
    });
  },
};
