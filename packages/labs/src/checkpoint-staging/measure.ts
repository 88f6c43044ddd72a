/** Times of computing and transfer, alone and overlapped, and the cost of a staging copy. */
import { median, type Move } from '@verbslab/protocol';
import { formatBytes } from '../base/format.js';
import { powersOf, statOf, sweep, type Stat } from '../base/sweep.js';
import { inPhase } from '../endpoints/phase.js';
import { remoteOf } from '../endpoints/side.js';
import { bouncePlace, writesOf, type Context, type Ends } from './endpoints.js';
import { shardPlace, slotPlace } from './layout.js';

const WARM_UP = 2;
const TIMEOUT_MS = 10_000;
const SMALLEST = 4096;

export const OVERLAP = ['compute', 'transfer', 'serial', 'overlapped'] as const;
type OverlapId = (typeof OVERLAP)[number];
export const PATHS = ['direct', 'staged', 'copy'] as const;
type PathId = (typeof PATHS)[number];

type Setting = { kind: 'overlap'; id: OverlapId } | { kind: 'path'; id: PathId; size: number };

const sent = (count: number): Move => ({ move: 'sent', count });

/** The shards of slot 0, each computed before it is sent. */
function overlapMoves(ctx: Context, ends: Ends, id: OverlapId): Move[] {
  const { params } = ctx;
  const { shards } = writesOf(ctx, ends, 0);
  const count = Math.floor(params.shardBytes / 4);
  const compute = (shard: number): Move => {
    const a = slotPlace(params, 0) + shardPlace(params, shard);
    const b = slotPlace(params, 1) + shardPlace(params, shard);
    return { move: 'add-floats', mr: ends.trainer.mr.mr, offset: a, a, b, count };
  };
  const all = shards.map((wr, shard): { compute: Move; post: Move } => ({
    compute: compute(shard),
    post: { move: 'post', wr },
  }));
  switch (id) {
    case 'compute':
      return all.map((one) => one.compute);
    case 'transfer':
      return [...all.map(({ post }) => post), sent(shards.length)];
    case 'serial':
      return all.flatMap((one) => [one.compute, one.post, sent(1)]);
    case 'overlapped':
      return [...all.flatMap((one) => [one.compute, one.post]), sent(shards.length)];
  }
}

function pathMoves({ params }: Context, { trainer, staging }: Ends, id: PathId, size: number): Move[] {
  const own = slotPlace(params, 0);
  const bounce = bouncePlace(params);
  const copy: Move = { move: 'copy', mr: trainer.mr.mr, from: own, offset: bounce, length: size };
  const write = (offset: number): Move => ({
    move: 'post',
    wr: {
      opcode: 'RDMA_WRITE',
      local: [{ mr: trainer.mr.mr, offset, length: size }],
      remote: remoteOf(staging, own),
    },
  });
  if (id === 'copy') return [copy];
  return id === 'direct' ? [write(own), sent(1)] : [copy, write(bounce), sent(1)];
}

/** All repetitions, in the order of the rounds. */
export interface Timed extends Stat {
  rounds: readonly number[];
}

export interface Measured {
  /** ns, of all shards. */
  overlap: Record<OverlapId, Timed>;
  /** ns */
  paths: { size: number; times: Record<PathId, Timed> }[];
}

const settingText = (one: Setting): string =>
  one.kind === 'overlap' ? `Overlap: ${one.id}` : `${one.id}, ${formatBytes(one.size)}`;

export async function measure(ctx: Context, ends: Ends): Promise<Measured> {
  const { endpoint, qp, cq } = ends.trainer;
  const { shards, shardBytes } = ctx.params;
  const sizes = powersOf(4, shards * shardBytes, SMALLEST);
  const settings: Setting[] = [
    ...OVERLAP.map((id) => ({ kind: 'overlap' as const, id })),
    ...sizes.flatMap((size) => PATHS.map((id) => ({ kind: 'path' as const, id, size }))),
  ];
  const one = async (setting: Setting): Promise<number> => {
    const moves =
      setting.kind === 'overlap'
        ? overlapMoves(ctx, ends, setting.id)
        : pathMoves(ctx, ends, setting.id, setting.size);
    const { timesNs } = await endpoint.call('performRounds', {
      ...{ qp: qp.qp, sendCq: cq, recvCq: cq, moves, rounds: ctx.params.rounds + WARM_UP, first: 0 },
      ...{ wait: 'poll', timeoutMs: TIMEOUT_MS },
    });
    return median(timesNs.slice(WARM_UP));
  };
  const found = await inPhase(ctx, 'times', 'Overlap, and a copy on the way', () =>
    sweep(ctx, settings, ctx.params.repeat, settingText, one),
  );
  const of = (wanted: (setting: Setting) => boolean): Timed => {
    const rounds = found[settings.findIndex(wanted)]!;
    return { ...statOf(rounds), rounds };
  };
  const overlap = Object.fromEntries(
    OVERLAP.map((id) => [id, of((setting) => setting.kind === 'overlap' && setting.id === id)]),
  ) as Measured['overlap'];
  const paths = sizes.map((size) => ({
    size,
    times: Object.fromEntries(
      PATHS.map((id) => [
        id,
        of((setting) => setting.kind === 'path' && setting.id === id && setting.size === size),
      ]),
    ) as Record<PathId, Timed>,
  }));
  return { overlap, paths };
}
