/** Signals that come too rarely: the send queue fills, and there is no completion to wait for. */
import type { LabContext } from '@verbslab/protocol';
import { plural } from '../base/format.js';
import { closePair, connectPair, type Pair } from '../load/pair.js';
import { HELD_ACK_TIMEOUT, holdAcks, sameBytes, tryPost, writeOf } from '../load/posting.js';
import { completions } from '../endpoints/verbs.js';
import type { SignalEveryParams } from './params.js';

type Context = LabContext<SignalEveryParams>;

/** Requests of every program, as a multiple of the requested send queue. */
const ROUNDS_OF_QUEUE = 4;
/** Wait for a slot to come back without a completion, ms. */
const FREED_MS = 1000;

interface Posted {
  /** Accepted before the send queue was full; null if it never was. */
  room: number | null;
  accepted: number;
  signaled: number;
  completions: number;
  arrived: boolean;
  /** The program had to wait, and no signaled request was under way. */
  stuck: boolean;
  /** Slots came free without any completion. */
  freed: boolean;
}

/**
 * A program that posts and, where the send queue is full, waits for a completion. ACKs are held until the queue is full,
 * so that no slot comes free while it posts. The queue pair is its own: one that is stuck may stay so.
 */
async function post(ctx: Context, every: number | null): Promise<Posted> {
  const { size, smallQueue, link } = ctx.params;
  const wanted = ROUNDS_OF_QUEUE * smallQueue;
  const pair = await connectPair(ctx, {
    link,
    memory: (wanted + 1) * size,
    sendDepth: smallQueue,
    cqDepth: wanted + 1,
    connect: { timeout: HELD_ACK_TIMEOUT },
  });
  const { client } = pair;
  await client.endpoint.call('fillMemory', {
    mr: client.mr.mr,
    offset: 0,
    length: (wanted + 1) * size,
    seed: 1,
  });
  const posted: Posted = {
    room: null,
    accepted: 0,
    signaled: 0,
    completions: 0,
    arrived: false,
    stuck: false,
    freed: false,
  };
  const next = async (): Promise<boolean> => {
    const asks = every !== null && (posted.accepted + 1) % every === 0;
    if (!(await tryPost(pair, writeOf(pair, posted.accepted, size, asks)))) return false;
    posted.accepted++;
    if (asks) posted.signaled++;
    return true;
  };
  const wait = async (count: number): Promise<void> => {
    if (count > 0)
      posted.completions += (await completions(client.endpoint, client.cq.cq, count, 'RDMA WRITE')).length;
  };
  await holdAcks(pair, true);
  try {
    while (posted.accepted < wanted && !posted.stuck) {
      if (await next()) continue;
      posted.room ??= posted.accepted;
      await holdAcks(pair, false);
      if (posted.signaled > posted.completions) await wait(1);
      else posted.stuck = true;
    }
  } finally {
    await holdAcks(pair, false);
  }
  await wait(posted.signaled - posted.completions);
  posted.arrived = await sameBytes(pair, posted.accepted * size, () => ctx.now());
  // A slot that is free again shows that the ACKs are there: a completion would be, too.
  if (posted.stuck) posted.freed = await slotComesFree(ctx, pair, posted.accepted);
  const left = await client.endpoint.call('pollCq', { cq: client.cq.cq, max: wanted });
  posted.completions += left.completions.length;
  await closePair(pair);
  return posted;
}

/** Tries to post repeatedly: nothing announces a free slot. */
async function slotComesFree(ctx: Context, pair: Pair, index: number): Promise<boolean> {
  const deadline = ctx.now() + FREED_MS * 1e6;
  do {
    if (await tryPost(pair, writeOf(pair, index, ctx.params.size, false))) return true;
  } while (ctx.now() < deadline);
  return false;
}

function show(ctx: Context, every: number | null, posted: Posted): void {
  const { room, accepted, completions: polled, arrived, stuck, freed } = posted;
  ctx.row('queue', {
    every: every ?? 'never',
    room,
    accepted,
    completions: polled,
    arrived,
    outcome: !stuck
      ? 'all posted'
      : freed
        ? 'nothing to wait for; the device freed slots on ACKs'
        : 'nothing to wait for; full for good',
  });
}

export interface Filled {
  /** Requests that the send queue accepted without a signal. */
  room: number;
  /** The device frees slots without completions. */
  freed: boolean;
}

/** Null where the device freed slots faster than the client posted. */
export async function fillQueue(ctx: Context): Promise<Filled | null> {
  const { smallQueue } = ctx.params;
  const wanted = ROUNDS_OF_QUEUE * smallQueue;
  const none = await post(ctx, null);
  show(ctx, null, none);
  ctx.check(
    'silent',
    none.completions === 0 && none.arrived,
    `${plural(none.accepted, 'unsignaled request')} made ${plural(none.completions, 'completion')}, and their data ${none.arrived ? 'is' : 'is not'} at the server (SHA-256 of both).`,
  );
  const { room } = none;
  if (room === null) {
    for (const id of ['full', 'too-rare', 'often-enough'])
      ctx.doesNotApply(
        id,
        `This device freed slots faster than the client posted: all ${plural(none.accepted, 'request')} fit into a send queue of ${smallQueue}. It offers no fault injection to drop ACKs. On other devices the queue fills.`,
      );
    return null;
  }
  ctx.check(
    'full',
    room >= smallQueue && none.stuck && none.completions === 0,
    `Without signals the send queue accepted ${plural(room, 'request')} (asked for: ${smallQueue}). The next ibv_post_send failed with ENOMEM, and ${none.completions === 0 ? 'no completion' : plural(none.completions, 'completion')} came.`,
  );
  const rare = await post(ctx, room + 1);
  show(ctx, room + 1, rare);
  ctx.check(
    'too-rare',
    rare.stuck && rare.room === room && rare.completions === 0,
    `With one signal in every ${room + 1} requests the send queue was ${rare.room === null ? 'never full' : `full after ${rare.room}`}, and ${plural(rare.completions, 'completion')} arrived.`,
  );
  const often = [room, Math.max(1, room >> 2)];
  const wrong: string[] = [];
  for (const every of often) {
    const posted = await post(ctx, every);
    show(ctx, every, posted);
    const expected = Math.floor(wanted / every);
    if (posted.stuck || posted.accepted !== wanted || posted.completions !== expected)
      wrong.push(
        `every ${every}: ${posted.accepted} posted, ${plural(posted.completions, 'completion')}, ${expected} expected`,
      );
  }
  ctx.check(
    'often-enough',
    wrong.length === 0,
    wrong.length === 0
      ? `${wanted} requests passed through the send queue of ${room} with one signal in every ${often.join(' and every ')}.`
      : `Posts or completions differ: ${wrong.join('; ')}.`,
  );
  return { room, freed: none.freed };
}
