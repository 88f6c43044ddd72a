/** Posting until the send queue refuses for good. */
import { plural } from '../base/format.js';
import { refusal, write, type Bench, type Pair } from './bench.js';
import type { Attempt } from './case.js';

/** Depth of the send queue, and requests that the program wants to post: devices may round the depth up. */
export const DEPTH = 16;
const WANTED = 256;

/** A queue may be full until a busy peer acknowledges: the program waits for 10 ms, 20 ms and so on, 2.55 s in all. */
const TRIES = 8;
const FIRST_PAUSE_MS = 10;

export interface Filling {
  /** Every request is signaled, or none. */
  signaled: boolean;
  /** Requests between two that are signaled and polled; absent: never poll. */
  pollEvery?: number;
}

async function postPatiently(
  bench: Bench,
  pair: Pair,
  wrId: number,
  signaled: boolean,
): Promise<string | null> {
  const { endpoint, qp } = pair.client;
  let errno: string | null = null;
  for (let tries = 0; tries < TRIES; tries++) {
    const wr = { ...write(pair, 8), wrId, signaled };
    errno = await refusal(endpoint.call('postSend', { qp: qp.qp, wr }));
    if (errno !== 'ENOMEM') return errno;
    await bench.server.call('waitAsync', { timeoutMs: FIRST_PAUSE_MS * 2 ** tries });
  }
  return errno;
}

/** The attempt worked when all posts were accepted. */
export async function fillQueue(bench: Bench, pair: Pair, filling: Filling): Promise<Attempt> {
  const { endpoint, cq } = pair.client;
  const { signaled, pollEvery = Infinity } = filling;
  let accepted = 0;
  let polled = 0;
  let errno: string | null = null;
  while (accepted < WANTED) {
    const turn = (accepted + 1) % pollEvery === 0;
    errno = await postPatiently(bench, pair, accepted, signaled || turn);
    if (errno !== null) break;
    accepted++;
    if (!turn) continue;
    const count = signaled ? pollEvery : 1;
    polled += (await endpoint.call('waitCq', { cq, count, timeoutMs: 5000 })).completions.length;
  }
  return {
    status: null,
    errno,
    elapsedNs: null,
    worked: errno === null,
    seen: `The send queue of ${DEPTH} took ${plural(accepted, 'request')}; the program polled ${plural(polled, 'completion')}.`,
  };
}

/** Reason why a queue that is never polled does not fill up on this device; null: it does. */
export async function neverFull(bench: Bench, signaled: boolean): Promise<string | null> {
  const pair = await bench.pair({ depth: DEPTH, cqDepth: 2 * WANTED });
  const { worked, seen } = await fillQueue(bench, pair, { signaled });
  return worked
    ? `${seen} This device frees a slot when the peer acknowledges the request. Most devices free it only when the program polls, and refuse with ENOMEM.`
    : null;
}
