/** The memory of a request is the device’s until the completion: kept that way, written too early, deregistered too early. */
import { callFailed, type Wc } from '@verbslab/protocol';
import { plural } from '../base/format.js';
import { refusal, type Bench } from '../failures/bench.js';
import { statusText } from '../failures/evidence.js';
import { CANNOT_SEE_RNR, rnrNaksSent, untilRnrNak } from '../endpoints/rnr.js';
import {
  allGood,
  arrivals,
  compose,
  connect,
  next,
  post,
  postRecvs,
  report,
  trial,
  type Context,
  type Message,
  type Seen,
} from './trial.js';

const BUFFER = 0;

/** Waits, without a RECV at the server, until its device has refused `times` more tries of the client’s device. */
async function refused(ctx: Context, { server }: Bench, before: number, times: number): Promise<void> {
  if (await untilRnrNak(ctx, server, before + times - 1)) return;
  throw callFailed(
    'SYSTEM',
    'Waiting for the server’s RNR NAK',
    'ETIMEDOUT',
    'Look at the packets of this step: is there a SEND, and an answer?',
  );
}

const naks = async ({ server }: Bench): Promise<number> => (await rnrNaksSent(server)) ?? 0;

/**
 * Every message from the same buffer. The server is late with its RECVs, so the device has to keep the first message.
 * The two programs differ in one thing: whether they wait for a completion before they go on.
 */
async function fromOneBuffer(ctx: Context, bench: Bench, waits: boolean): Promise<Seen> {
  const { messages: count, size } = ctx.params;
  const lengths = Array<number>(count).fill(size);
  const pair = await connect(ctx, bench);
  const messages: Message[] = [];
  const client: Wc[] = [];
  const before = await naks(bench);
  for (let i = 0; i < count; i++) {
    messages.push(await compose(pair, i, size, BUFFER));
    await post(pair, i, size, BUFFER);
    if (waits && i === 0) {
      await refused(ctx, bench, before, 1);
      await postRecvs(pair, lengths);
    }
    if (waits) client.push(...(await next(pair.client, 1)));
  }
  if (!waits) {
    // The first of them may still answer an older packet.
    await refused(ctx, bench, await naks(bench), 2);
    await postRecvs(pair, lengths);
    client.push(...(await next(pair.client, count)));
  }
  return { client, ...(await arrivals(pair, messages, allGood(client, count) ? count : 0)) };
}

/** Deregisters the buffer while the device still has to send from it. */
async function deregistered(ctx: Context, bench: Bench): Promise<Seen & { errno: string | null }> {
  const { size } = ctx.params;
  const pair = await connect(ctx, bench);
  const { endpoint, mr } = pair.client;
  const before = await naks(bench);
  const message = await compose(pair, 0, size, BUFFER);
  await post(pair, 0, size, BUFFER);
  await refused(ctx, bench, before, 1);
  const errno = await refusal(endpoint.call('destroy', { what: 'mr', handle: mr.mr }));
  const failed = errno === null ? await next(pair.client, 1) : [];
  // A device that goes on with the memory gets a RECV.
  if (failed.length === 0) await postRecvs(pair, [size]);
  const client = failed.length === 0 ? await next(pair.client, 1) : failed;
  return { errno, client, ...(await arrivals(pair, [message], allGood(client, 1) ? 1 : 0)) };
}

/**
 * Tries both programs. Resolves to the messages that arrived from one that waits, and from one that does not; null
 * where the run cannot tell.
 */
export async function tryMemory(
  ctx: Context,
  bench: Bench,
): Promise<{ waited: number; reused: number } | null> {
  if ((await rnrNaksSent(bench.server)) === null) {
    for (const id of ['memory-kept', 'memory-reused', 'memory-deregistered'])
      ctx.doesNotApply(id, CANNOT_SEE_RNR);
    for (const name of ['waited-right', 'reused-right']) ctx.figure(name, null);
    return null;
  }
  const { messages: count } = ctx.params;
  const waited = await trial(bench, () => fromOneBuffer(ctx, bench, true));
  report(ctx, 'Memory', 'Waits for the completion, then reuses the buffer', waited);
  ctx.figure('waited-right', waited.right);
  ctx.check(
    'memory-kept',
    waited.right === count && allGood(waited.client, count),
    `${waited.right} of ${plural(count, 'message')} arrived as the client wrote them.`,
  );

  const reused = await trial(bench, () => fromOneBuffer(ctx, bench, false));
  report(ctx, 'Memory', 'Reuses the buffer at once', reused);
  ctx.figure('reused-right', reused.right);
  ctx.check(
    'memory-reused',
    // Every copy is one of the last message, which arrives at its place.
    reused.right === 1 && allGood(reused.client, count) && allGood(reused.server, count),
    `${reused.right} of ${plural(count, 'message')} arrived as the client wrote them. ${
      allGood(reused.client, count) && allGood(reused.server, count)
        ? 'Every completion at both ends has status 0.'
        : 'Not every completion has status 0.'
    }`,
  );

  const early = await trial(bench, () => deregistered(ctx, bench));
  report(ctx, 'Memory', 'Deregisters the buffer before the completion', early);
  const status = early.client[0]?.status ?? null;
  ctx.check(
    'memory-deregistered',
    early.errno !== null || (status !== null && status !== 0 && early.right === 0),
    early.errno === null
      ? `ibv_dereg_mr succeeded, and the SEND ended with ${statusText(status)}.`
      : `ibv_dereg_mr was refused with ${early.errno}.`,
  );
  return { waited: waited.right, reused: reused.right };
}
