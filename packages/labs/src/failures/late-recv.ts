/** A SEND whose RECV is posted after the first RNR NAK. */
import { attempt, postRecv, send, type Bench, type Pair } from './bench.js';
import type { Attempt } from './case.js';

const PAUSE_MS = 1;
const PAUSES = 2000;

/** RNR NAKs that the server’s device has sent; null: it does not count them. */
async function rnrNaks(bench: Bench): Promise<number | null> {
  if (!bench.server.has('counters')) return null;
  return (await bench.server.call('counters', { when: 'sample' })).values.send_rnr_err ?? null;
}

/** Posts the RECV after a refusal, or right after the SEND where refusals are not counted. */
export async function sendThenRecv(bench: Bench, pair: Pair): Promise<Attempt> {
  const before = await rnrNaks(bench);
  const sending = attempt(pair.client, send(pair));
  for (let pause = 0; before !== null && pause < PAUSES; pause++) {
    if (((await rnrNaks(bench)) ?? 0) > before) break;
    await bench.server.call('waitAsync', { timeoutMs: PAUSE_MS });
  }
  await postRecv(pair);
  return sending;
}
