/** A buffer that the program overwrites right after posting, while the packets are lost. */
import type { LabContext } from '@verbslab/protocol';
import { plural } from '../base/format.js';
import { closePair, connectPair, type Pair } from '../load/pair.js';
import { HELD_ACK_TIMEOUT, isErrno, writeOf } from '../load/posting.js';
import { completions } from '../endpoints/verbs.js';
import type { InlineParams } from './params.js';

type Context = LabContext<InlineParams>;

/** Seeds of the two patterns. */
const [OLD, NEW] = [1, 2];
/** Bytes that no queue pair takes inline. */
export const TOO_LARGE = 65_536;

const connect = (ctx: Context): Promise<Pair> =>
  connectPair(ctx, {
    link: ctx.params.link,
    memory: TOO_LARGE,
    sendDepth: 16,
    maxInlineData: ctx.params.largest,
    connect: { timeout: HELD_ACK_TIMEOUT },
  });

/** Final memory of the server. Every packet is lost until the buffer has changed. */
async function overwritten(ctx: Context, inline: boolean): Promise<'old' | 'new' | 'mixed'> {
  const pair = await connect(ctx);
  const { client, server } = pair;
  const size = ctx.params.largest;
  const range = { offset: 0, length: size };
  const fill = async (seed: number): Promise<string> => {
    await client.endpoint.call('fillMemory', { mr: client.mr.mr, ...range, seed });
    return (await client.endpoint.call('hashMemory', { mr: client.mr.mr, ...range })).sha256;
  };
  const old = await fill(OLD);
  let changed: string;
  await client.endpoint.call('faults', { rates: { drop: 1 } });
  try {
    await client.endpoint.call('postSend', {
      qp: client.qp.qp,
      wr: { ...writeOf(pair, 0, size, true), inline },
    });
    changed = await fill(NEW);
  } finally {
    await client.endpoint.call('faults', { rates: {} });
  }
  await completions(client.endpoint, client.cq.cq, 1, 'RDMA WRITE');
  const { sha256 } = await server.endpoint.call('hashMemory', { mr: server.mr.mr, ...range });
  await closePair(pair);
  return sha256 === old ? 'old' : sha256 === changed ? 'new' : 'mixed';
}

/**
 * Overwrites a buffer with and without inline data. Resolves to the outcome as a sentence; empty where packets cannot
 * be lost on purpose.
 */
export async function overwriteBuffers(ctx: Context): Promise<string> {
  if (!ctx.endpoint('client').has('faults')) {
    for (const id of ['inline-kept', 'gathered-late'])
      ctx.doesNotApply(
        id,
        'This device offers no fault injection, so the lab cannot drop a packet between post and overwrite.',
      );
    return '';
  }
  const gathered = await overwritten(ctx, false);
  const inline = await overwritten(ctx, true);
  for (const [how, found] of [
    ['gathered', gathered],
    ['inline', inline],
  ] as const)
    ctx.row('overwritten', { how, found });
  ctx.outcome('overwrite', gathered === 'new' && inline === 'old' ? 'inline-only' : 'other');
  ctx.check(
    'inline-kept',
    inline === 'old',
    `The inline WRITE delivered the ${inline} bytes. The buffer was overwritten right after ibv_post_send.`,
  );
  ctx.check(
    'gathered-late',
    gathered === 'new',
    `The first packet of the gathered WRITE was lost. The retransmitted one carried the ${gathered} bytes${gathered === 'new' ? ': the device read the buffer again' : ''}.`,
  );
  return ` With the buffer overwritten after the post, the gathered WRITE delivered the ${gathered} bytes and the inline one the ${inline} bytes.`;
}

/** A payload beyond max_inline_data. */
export async function tooLarge(ctx: Context): Promise<void> {
  const pair = await connect(ctx);
  const { endpoint, qp, cq } = pair.client;
  let error = 'nothing';
  try {
    await endpoint.call('postSend', {
      qp: qp.qp,
      wr: { ...writeOf(pair, 0, TOO_LARGE, true), inline: true },
    });
  } catch (reason) {
    error = ['EINVAL', 'ENOMEM'].find((name) => isErrno(reason, name)) ?? '';
    if (error === '') throw reason;
  }
  const left = await endpoint.call('pollCq', { cq: cq.cq });
  await closePair(pair);
  ctx.check(
    'too-large',
    error !== 'nothing' && left.completions.length === 0,
    `An inline payload of 64 KiB: ibv_post_send reported ${error}, with ${plural(left.completions.length, 'completion')}.`,
  );
}
