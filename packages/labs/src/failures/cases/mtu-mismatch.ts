import { attempt, outcomeText, write } from '../bench.js';
import type { FailureCase } from '../case.js';
import { RC_NAK } from '../syndromes.js';

export const mtuMismatch: FailureCase = {
  id: 'mtu-mismatch',
  name: 'Different path MTUs',
  symptom: 'Short messages work. Long ones fail with a remote error.',
  cause: 'The client’s path MTU is 1024 B, the server’s 256 B. The WRITE has 4096 B.',
  explanation:
    'All packets of a message but its last must carry exactly one path MTU. The server sees a First packet of 1024 B where it wants 256 B: NAK 0x61 (invalid request), status 9 (REM_INV_REQ_ERR). A message that fits one packet of the smaller MTU passes, so small tests do not find it.',
  fix: 'Exchange the active MTU and set both sides to the smaller one.',
  expected: { status: 9, nak: RC_NAK.invalidRequest, serverEvent: 'QP_REQ_ERR' },
  async run(bench, broken) {
    const pair = await bench.pair({ mtu: broken ? 1024 : 256 }, { mtu: 256 });
    const short = await attempt(pair.client, write(pair, 64));
    const long = await attempt(pair.client, write(pair, 4096));
    return { ...long, seen: `A WRITE of 64 B before it ${outcomeText(short.status)}. ${long.seen}` };
  },
};
