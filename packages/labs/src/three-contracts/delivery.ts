/** The device delivers once and in order, or says that it cannot: losses within the budget, beyond it, and a peer that has left. */
import { WC_FLUSH } from '@verbslab/protocol';
import { plural } from '../base/format.js';
import type { Bench, Pair } from '../failures/bench.js';
import { statusText } from '../failures/evidence.js';
import { withoutRepeats } from '../wire/messages.js';
import { RETRY_EXC_ERR } from '../endpoints/wc-statuses.js';
import {
  allGood,
  arrivals,
  connect,
  next,
  postAll,
  postRecvs,
  report,
  toldTo,
  trial,
  type Context,
  type Message,
  type Seen,
} from './trial.js';

/** The message whose packet is lost once. */
const LOST = 2;
const WITHOUT_FAULTS = 'The client’s device has no fault injection, so the run cannot lose a packet.';

interface Losing extends Seen {
  dropped: number;
  /** Packets that the client sent again; null: packets cannot be seen. */
  again: number | null;
}

/** Loses packets to the server while it sends: the `iter`-th, or else the first `times`. */
async function losing(
  ctx: Context,
  bench: Bench,
  tapped: boolean,
  count: number,
  loss: { iter?: number; times: number },
): Promise<Losing> {
  const lengths = Array<number>(count).fill(ctx.params.size);
  const pair = await connect(ctx, bench, { unanswered: true });
  await postRecvs(pair, lengths);
  const { qpn } = pair.server.qp.info;
  const { client: endpoint } = bench;
  if (tapped) await endpoint.call('tap.flush', {});
  await endpoint.call('faults', { rules: [{ action: 'drop', qpn, ...loss }] });
  try {
    const messages = await postAll(pair, lengths);
    const client = await next(pair.client, count);
    const { dropped } = await endpoint.call('faults.query', {});
    const sent = tapped
      ? (await endpoint.call('tap.flush', {})).list.filter(({ direction }) => direction === 'sent')
      : null;
    const again = sent && withoutRepeats(sent).repeated;
    return {
      ...{ dropped, again, client },
      ...(await arrivals(pair, messages, allGood(client, count) ? count : 0)),
    };
  } finally {
    await endpoint.call('faults', {});
  }
}

async function tryLosses(ctx: Context, bench: Bench, tapped: boolean): Promise<void> {
  const { messages: count, retries } = ctx.params;
  const once = await trial(bench, () => losing(ctx, bench, tapped, count, { iter: LOST, times: 1 }));
  report(ctx, 'Delivery', 'Loses one packet', once);
  ctx.figure('lost-right', once.right);
  ctx.figure('lost-again', once.again);
  ctx.outcome('lost', toldTo(once) === 'neither' ? (once.right === count ? 'nothing' : 'gap') : 'error');
  ctx.check(
    'delivery-kept',
    once.dropped === 1 && once.again !== 0 && once.right === count && allGood(once.client, count),
    `${plural(once.dropped, 'packet')} lost. ${once.right} of ${plural(count, 'message')} arrived in order.`,
  );

  const within = await trial(bench, () => losing(ctx, bench, tapped, 1, { times: retries }));
  report(ctx, 'Delivery', 'Loses a packet retry_cnt times', within);
  const beyond = await trial(bench, () => losing(ctx, bench, tapped, 1, { times: retries + 1 }));
  report(ctx, 'Delivery', 'Loses it once more', beyond);
  const [good, bad] = [within.client[0]?.status ?? null, beyond.client[0]?.status ?? null];
  ctx.check(
    'delivery-budget',
    good === 0 && within.dropped === retries && bad === RETRY_EXC_ERR && beyond.dropped === retries + 1,
    `With ${plural(within.dropped, 'loss', 'losses')} in a row the SEND ended with ${statusText(good)}, with ${beyond.dropped} it ended with ${statusText(bad)}.`,
  );
}

/** The server’s QP forgets the connection. The client posts, and reads no status. */
async function toAbsentPeer(pair: Pair, lengths: readonly number[]): Promise<Seen & { messages: Message[] }> {
  const { server, client } = pair;
  await server.endpoint.call('modifyQp', { qp: server.qp.qp, attrs: { state: 'RESET' } });
  const messages = await postAll(pair, lengths);
  const completions = await next(client, lengths.length);
  return { messages, client: completions, ...(await arrivals(pair, messages, 0)) };
}

/** Recovers like a program that reads its statuses: with a new connection, and the failed messages once more. */
async function sendAgain(bench: Bench, pair: Pair, lengths: readonly number[], failed: number) {
  const { client, server } = pair;
  await client.endpoint.call('modifyQp', { qp: client.qp.qp, attrs: { state: 'RESET' } });
  await bench.connectSide(server, client);
  await bench.connectSide(client, server);
  await bench.settle(client, server);
  // Requests complete in order, so those that failed are the last ones.
  const from = lengths.length - failed;
  const again = lengths.slice(from);
  await postRecvs(pair, again);
  const messages = await postAll(pair, again, from);
  const completions = await next(client, again.length);
  return { client: completions, ...(await arrivals(pair, messages, again.length)) };
}

async function tryLeaving(ctx: Context, bench: Bench): Promise<{ unread: Seen; rebuilt: Seen }> {
  const { messages: count, size } = ctx.params;
  const lengths = Array<number>(count).fill(size);
  const pair = await connect(ctx, bench, { unanswered: true });
  const unread = await toAbsentPeer(pair, lengths);
  report(ctx, 'Delivery', 'Posts to a peer that has left, and reads no status', unread);
  ctx.figure('unread-right', unread.right);
  const [first, ...rest] = unread.client;
  ctx.check(
    'delivery-unread',
    first?.status === RETRY_EXC_ERR &&
      rest.length === count - 1 &&
      rest.every(({ status }) => status === WC_FLUSH) &&
      unread.right === 0,
    `Each of ${plural(count, 'call')} of ibv_post_send succeeded, and ${plural(unread.right, 'message')} arrived. The first SEND ended with ${statusText(first?.status ?? null)}.`,
  );
  const failed = unread.client.filter(({ status }) => status !== 0).length;
  const rebuilt = await sendAgain(bench, pair, lengths, failed);
  report(ctx, 'Delivery', 'Reads the statuses, connects again and sends what failed', rebuilt);
  ctx.figure('rebuilt-right', rebuilt.right);
  ctx.check(
    'delivery-rebuilt',
    rebuilt.right === count && allGood(rebuilt.client, count),
    `On the new connection ${rebuilt.right} of ${plural(count, 'message')} arrived in order.`,
  );
  return { unread, rebuilt };
}

export async function tryDelivery(
  ctx: Context,
  bench: Bench,
  tapped: boolean,
): Promise<{ unread: Seen; rebuilt: Seen }> {
  if (bench.client.has('faults')) await tryLosses(ctx, bench, tapped);
  else {
    for (const id of ['delivery-kept', 'delivery-budget']) ctx.doesNotApply(id, WITHOUT_FAULTS);
    for (const name of ['lost-right', 'lost-again']) ctx.figure(name, null);
  }
  return trial(bench, () => tryLeaving(ctx, bench));
}
