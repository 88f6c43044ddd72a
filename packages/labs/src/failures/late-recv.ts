/** A SEND whose RECV is posted after the first RNR NAK. */
import { attempt, postRecv, send, type Bench, type Pair } from './bench.js';
import type { Attempt } from './case.js';
import { counted, untilCounted } from './counted.js';

/** RNR NAKs that a device has sent. */
const SENT = 'send_rnr_err';

/** Posts the RECV after a refusal, or right after the SEND where refusals are not counted. */
export async function sendThenRecv(bench: Bench, pair: Pair): Promise<Attempt> {
  const before = await counted(bench.server, SENT);
  const sending = attempt(pair.client, send(pair));
  await untilCounted(bench.server, SENT, before);
  await postRecv(pair);
  return sending;
}
