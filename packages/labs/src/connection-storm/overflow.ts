/** Requests to a program that takes none yet: the backlog fills, and the rest is turned down. */
import type { CmMade } from '@verbslab/protocol';
import { conversations, messageOf, valueOf, type Conversation } from '../cm/conversation.js';
import { openCmServer, type CmServer } from '../cm/endpoints.js';
import { plural } from '../base/format.js';
import { intend } from '../endpoints/intend.js';
import { inPhase } from '../endpoints/phase.js';
import { TIMEOUT_MS, type Stage } from './stage.js';
import { NO_PACKETS } from '../wire/packet-watch.js';

/** `IB_CM_REJ_CONSUMER_DEFINED`. */
const CONSUMER = 28;
const NS_PER_MS = 1e6;
/** Wait for all rejections, ms. */
const PATIENCE_MS = 2000;
const LOOK_MS = 5;

export interface Overflow {
  waited: CmMade[];
  rejected: CmMade[];
  /** ConnectRequests after the first, of the requests that waited; null: not captured. */
  sentAgain: number | null;
  /** MRA: “received, be patient”. */
  receipts: number | null;
}

/** The server’s program sleeps; events of earlier connections do not wake it for good. */
async function sleepAt({ ctx, server }: Stage, ms: number): Promise<void> {
  const until = ctx.now() + ms * NS_PER_MS;
  for (let left = ms; left > 0; left = (until - ctx.now()) / NS_PER_MS)
    await server.endpoint.call('cm.events', { timeoutMs: left });
}

async function openHeld({ server, ctx }: Stage): Promise<CmServer> {
  return openCmServer(server.endpoint, 64, { held: true, backlog: ctx.params.backlog });
}

const copies = (one: Conversation, name: string): number => {
  const message = messageOf(one, name);
  return message ? 1 + message.repeated : 0;
};

function show({ ctx }: Stage, title: string, all: readonly CmMade[], ms: (one: CmMade) => number): void {
  const times = all.map(ms);
  ctx.row('overflow', {
    requests: title,
    count: all.length,
    event: [...new Set(all.map(({ event }) => event))].join(', ') || null,
    first: times.length > 0 ? Math.min(...times) : null,
    last: times.length > 0 ? Math.max(...times) : null,
  });
}

function checkWire({ ctx, watch }: Stage, all: readonly Conversation[], found: Overflow): void {
  if (!watch.on) return ctx.doesNotApply('told-at-once', NO_PACKETS);
  const refused = all.filter((one) => messageOf(one, 'ConnectReject'));
  const reasons = refused.map((one) => valueOf(messageOf(one, 'ConnectReject'), 'infiniband.cm.rej.reason'));
  const answered = all.filter((one) => messageOf(one, 'ConnectReply')).length;
  ctx.check(
    'told-at-once',
    reasons.length === found.rejected.length &&
      reasons.every((reason) => reason === CONSUMER) &&
      answered === found.waited.length,
    `${plural(reasons.length, 'ConnectReject')} with reason ${[...new Set(reasons)].join(', ') || 'none'}, and ${plural(answered, 'ConnectReply', 'ConnectReplies')}. ` +
      `ConnectRequests sent again: ${found.sentAgain}; MsgRcptAck received: ${found.receipts}.`,
  );
}

export async function overflow(stage: Stage): Promise<Overflow> {
  const { ctx, client, watch } = stage;
  const { backlog, extra } = ctx.params;
  const held = await openHeld(stage);
  const { cm, address, port } = held.listener;
  await watch.take();
  intend(ctx, { role: 'client', most: extra, calls: [{ call: 'rdma_connect', errno: 'ECONNREFUSED' }] });
  const args = { address, port, ...client.queues, count: 1, timeoutMs: TIMEOUT_MS };
  let settled = 0;
  const asking = Promise.all(
    Array.from({ length: backlog + extra }, async () => {
      const { connections } = await client.endpoint.call('cm.connectMany', args);
      settled++;
      return connections;
    }),
  );
  // An endpoint may die before this is waited for, which then says so.
  asking.catch(() => undefined);
  const begun = await inPhase(ctx, 'overflow', 'Backlog full', async () => {
    const latest = ctx.now() + PATIENCE_MS * NS_PER_MS;
    while (settled < extra && ctx.now() < latest) await sleepAt(stage, LOOK_MS);
    await sleepAt(stage, ctx.params.heldMs);
    const takenAt = ctx.now();
    await held.endpoint.call('cm.release', { cm });
    await held.endpoint.call('cm.serve', { cm, ...held.queues });
    return { takenAt, made: (await asking).flat() };
  });
  await held.endpoint.call('cm.served', { cm });
  const { made } = begun;
  const waited = made.filter(({ event }) => event === 'ESTABLISHED');
  const rejected = made.filter(({ event }) => event === 'REJECTED');
  const all = conversations(await watch.take());
  const waiting = all.filter((one) => messageOf(one, 'ConnectReply'));
  const found: Overflow = {
    waited,
    rejected,
    sentAgain: watch.on ? waiting.reduce((sum, one) => sum + copies(one, 'ConnectRequest') - 1, 0) : null,
    receipts: watch.on ? all.reduce((sum, one) => sum + copies(one, 'MsgRcptAck'), 0) : null,
  };
  const ms = ({ createdAt, beganAt, answeredAt }: CmMade): number =>
    ((answeredAt ?? beganAt) - (createdAt ?? beganAt)) / NS_PER_MS;
  show(stage, 'In the backlog', waited, ms);
  show(stage, 'Beyond it', rejected, ms);
  ctx.figure('rejected', rejected.length);
  ctx.figure('rejected-time', rejected.length > 0 ? Math.max(...rejected.map(ms)) : null);
  ctx.figure('waited-time', waited.length > 0 ? Math.max(...waited.map(ms)) : null);
  ctx.figure('sent-again', found.sentAgain);
  ctx.figure('receipts', found.receipts);
  const named = rejected.length > 0 ? backlog : backlog + extra;
  ctx.check(
    'beyond',
    (rejected.length === extra || rejected.length === 0) &&
      rejected.every(({ reason }) => reason === CONSUMER),
    rejected.length > 0
      ? `${rejected.length} of ${plural(backlog + extra, 'request')} got REJECTED with reason ${rejected[0]!.reason}, while the program took none.`
      : 'No request was rejected.',
  );
  const late = waited.filter(({ answeredAt }) => answeredAt !== null && answeredAt >= begun.takenAt);
  ctx.check(
    'backlog-kept',
    waited.length === named && late.length === named,
    `${plural(waited.length, 'request')} got ESTABLISHED; ${late.length} of them after the program began to take requests.`,
  );
  checkWire(stage, all, found);
  ctx.outcome('overflow', rejected.length > 0 ? 'rejected' : waited.length > backlog ? 'waits' : 'timeout');
  await held.scope.close();
  return found;
}
