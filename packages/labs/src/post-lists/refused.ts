/** Lists that the device does not accept as a whole, and the requests that it has begun by then. */
import type { EndpointSendWr, LabContext } from '@verbslab/protocol';
import { plural } from '../base/format.js';
import { closePair, connectPair, type Pair } from '../load/pair.js';
import { HELD_ACK_TIMEOUT, holdAcks, isErrno, tryPost, writeOf } from '../load/posting.js';
import { completions } from '../endpoints/verbs.js';
import type { PostListsParams } from './params.js';

type Context = LabContext<PostListsParams>;

/** Send queue of these lists, requests. */
export const QUEUE = 16;
/** A list that does not fit. */
export const LONG = 24;
/** A list that fits, and the place of its invalid request. */
export const SHORT = 8;
export const INVALID_AT = 4;
/** SGEs of a request: more than the queue pair was made for, and the most that a request of the protocol can name. */
const SGES = 32;
const SIZE = 8;
const LAST_ID = 1000;

interface Refused {
  /** Error of ibv_post_send; null if it accepted the whole list. */
  error: 'ENOMEM' | 'EINVAL' | null;
  /** Requests of the list that completed. */
  completed: number;
}

const connect = (ctx: Context, extended: boolean): Promise<Pair> =>
  connectPair(ctx, {
    link: ctx.params.link,
    memory: 4096,
    sendDepth: QUEUE,
    cqDepth: 4 * LONG,
    extended,
    connect: { timeout: HELD_ACK_TIMEOUT },
  });

/** Posts a list, then one request more, and counts what completes before that one. */
async function post(
  ctx: Context,
  wrs: (pair: Pair) => EndpointSendWr[],
  extended: boolean,
): Promise<Refused> {
  const pair = await connect(ctx, extended);
  const { client } = pair;
  let error: Refused['error'] = null;
  await holdAcks(pair, true);
  try {
    await client.endpoint.call('postSendList', { qp: client.qp.qp, wrs: wrs(pair), extended });
  } catch (reason) {
    error = isErrno(reason, 'ENOMEM') ? 'ENOMEM' : isErrno(reason, 'EINVAL') ? 'EINVAL' : null;
    if (!error) throw reason;
  } finally {
    await holdAcks(pair, false);
  }
  const ids: number[] = [];
  const last: EndpointSendWr = { ...writeOf(pair, 0, SIZE, true), wrId: LAST_ID };
  // The last request fits into a full send queue once a completion has freed a slot.
  const poll = async (): Promise<void> => {
    ids.push((await completions(client.endpoint, client.cq.cq, 1, 'RDMA WRITE'))[0]!.wrId);
  };
  while (!(await tryPost(pair, last))) await poll();
  while (!ids.includes(LAST_ID)) await poll();
  await closePair(pair);
  return { error, completed: ids.length - 1 };
}

const list = (pair: Pair, length: number): EndpointSendWr[] =>
  Array.from({ length }, (_, i) => ({ ...writeOf(pair, 0, SIZE, true), wrId: i }));

const tooLong = (pair: Pair): EndpointSendWr[] => list(pair, LONG);

const withInvalid = (pair: Pair): EndpointSendWr[] =>
  list(pair, SHORT).map((wr, i) =>
    i === INVALID_AT
      ? { ...wr, local: Array.from({ length: SGES }, () => ({ mr: pair.client.mr.mr, length: 1 })) }
      : wr,
  );

function show(ctx: Context, what: string, call: string, { error, completed }: Refused): void {
  ctx.row('refused', { list: what, call, result: error ?? 'accepted', completed });
}

/** Posts the lists. Resolves to the requests of the long list that were under way; null where it was accepted. */
export async function refuseLists(ctx: Context): Promise<number | null> {
  const long = await post(ctx, tooLong, false);
  show(ctx, `${LONG} requests, ${QUEUE} fit`, 'ibv_post_send', long);
  if (long.error === 'ENOMEM')
    ctx.check(
      'too-long',
      long.completed >= QUEUE && long.completed < LONG,
      `A list of ${LONG} for a send queue of ${QUEUE} failed with ENOMEM, but ${plural(long.completed, 'request')} of it completed anyway.`,
    );
  else
    ctx.doesNotApply(
      'too-long',
      `This device accepted all ${LONG} requests: its send queue is longer than the ${QUEUE} asked for, or slots became free in between.`,
    );
  const invalid = await post(ctx, withInvalid, false);
  show(ctx, `${SHORT} requests, number ${INVALID_AT + 1} invalid`, 'ibv_post_send', invalid);
  ctx.check(
    'invalid',
    invalid.error === 'EINVAL' && invalid.completed === INVALID_AT,
    `A list of ${SHORT} whose request ${INVALID_AT + 1} has ${SGES} SGEs ${invalid.error ? `failed with ${invalid.error}` : 'was accepted'}. ${plural(invalid.completed, 'request')} of it completed${invalid.completed === INVALID_AT ? ': those before it' : ''}.`,
  );
  await extendedLists(ctx);
  return long.error === 'ENOMEM' ? long.completed : null;
}

async function extendedLists(ctx: Context): Promise<void> {
  const long = await post(ctx, tooLong, true);
  show(ctx, `${LONG} requests, ${QUEUE} fit`, 'ibv_wr_complete', long);
  ctx.check(
    'all-or-nothing',
    long.error === null ? long.completed === LONG : long.completed === 0,
    `The same list of ${LONG} by ibv_wr_start to ibv_wr_complete ${long.error ? `failed with ${long.error}` : 'was accepted'}, and ${plural(long.completed, 'request')} of it completed.`,
  );
}
