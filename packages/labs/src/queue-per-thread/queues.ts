/** The queues of both arrangements, and a loop of threads over either. */
import { AppError, type EndpointLoopResult, type LabContext, type LoopThreads } from '@verbslab/protocol';
import { bandwidth, type LoadOptions } from '../load/loop.js';
import { closePair, connectPair, type Pair } from '../load/pair.js';
import type { QueuePerThreadParams } from './params.js';

type Context = LabContext<QueuePerThreadParams>;

/** Owner of the queues: each thread has a QP and a CQ, or all threads have the same ones. */
export type Owner = 'own' | 'shared';

export interface Setting {
  owner: Owner;
  threads: number;
}

export interface Queues {
  /** Pairs, one per thread. The first has the memory of all. */
  own: Pair[];
  shared: Pair;
}

/** Places of a thread in the memory, so that messages do not all land in one cache line. */
const PLACES = 8;
const CACHE_LINE = 64;

export async function openQueues(ctx: Context): Promise<Queues> {
  const { threads, size, depth, link } = ctx.params;
  const place = Math.ceil(size / CACHE_LINE) * CACHE_LINE;
  const options = { link, memory: threads * PLACES * place, sendDepth: depth };
  const first = await connectPair(ctx, options);
  const own = [first];
  while (own.length < threads) own.push(await connectPair(ctx, { ...options, beside: first }));
  return { own, shared: await connectPair(ctx, { ...options, beside: first }) };
}

export async function closeQueues({ own, shared }: Queues): Promise<void> {
  await closePair(shared);
  for (const pair of own.toReversed()) await closePair(pair);
}

/** Requests between two signaled ones of a thread: the same in every setting. */
export const signalEvery = ({ depth, threads }: QueuePerThreadParams): number =>
  Math.max(1, Math.floor(depth / threads / 4));

export interface ThreadsLoop extends EndpointLoopResult {
  threads: LoopThreads;
}

/** Throws AppError where the loop fails, or where the client’s agent knows loops of one thread only. */
export async function threadsLoop(
  { params }: Context,
  { own, shared }: Queues,
  { owner, threads: count }: Setting,
  length: Pick<LoadOptions, 'iterations' | 'durationMs' | 'omitMs'>,
): Promise<ThreadsLoop> {
  const pairs = owner === 'own' ? own.slice(0, count) : [shared];
  const loop = await bandwidth(own[0]!, {
    size: params.size,
    txDepth: Math.floor(params.depth / count),
    cqMod: signalEvery(params),
    wait: 'poll',
    walk: true,
    qps: pairs.map(({ client }) => client.qp.qp),
    threads: { count, lock: owner === 'own' ? 'none' : params.lock },
    ...length,
  });
  const threads = loop.whole?.threads;
  if (!threads)
    throw AppError.from({
      code: 'MISSING_CAPABILITY',
      message: 'The client’s agent cannot measure with several threads.',
      cure: 'Update Verbs Lab on that host.',
    });
  return { ...loop, threads };
}
