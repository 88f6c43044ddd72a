/** Times and CPU time of the ways, and of what the formula is made of: the round trip and the copies. */
import { median, type EndpointArgs } from '@verbslab/protocol';
import { formatBytes } from '../base/format.js';
import { cpuPer, withCpu, type ProcessCpu } from '../load/process-cpu.js';
import { statOf, sweep, type Stat } from '../base/sweep.js';
import { inPhase } from '../endpoints/phase.js';
import { hashOf } from '../endpoints/side.js';
import { BOUNCE, ownOf, type Context, type End, type Ends } from './endpoints.js';
import { sizesOf } from './params.js';
import { movesOf, roundTripMoves, WAYS, type Moves, type Way } from './ways.js';

const TIMEOUT_MS = 20_000;
/** The first message of a measurement finds cold caches. */
const WARM_UP = 1;
const SEED = 21;

export interface Measured {
  /** ns, of all ways, by size. */
  times: { way: Way; size: number; stat: Stat; rounds: readonly number[] }[];
  /** ns, of both ends together, by size. */
  copies: { size: number; stat: Stat }[];
  /** ns */
  roundTrip: Stat;
}

type Wait = EndpointArgs<'performRounds'>['wait'];

/** Makes the moves of both ends `rounds` times. Resolves to the sender’s times, ns. */
async function perform(
  { sender, receiver }: Ends,
  moves: Moves,
  rounds: number,
  wait: Wait,
): Promise<number[]> {
  const ask = (end: End, own: Moves['sender']) => {
    const { qp, sendCq, recvCq } = moves.queues(end);
    return end.endpoint.call('performRounds', {
      ...{ qp: qp.qp, sendCq, recvCq, moves: own },
      ...{ rounds, first: 0, wait, timeoutMs: TIMEOUT_MS },
    });
  };
  const [asked] = await Promise.all([ask(sender, moves.sender), ask(receiver, moves.receiver)]);
  return asked.timesNs;
}

async function copyNs({ params }: Context, end: End, size: number): Promise<number> {
  const { qp, sendCq, recvCq } = end.eager;
  const own = ownOf(params);
  const { timesNs } = await end.endpoint.call('performRounds', {
    ...{ qp: qp.qp, sendCq, recvCq, rounds: params.messages + WARM_UP, first: 0 },
    ...{ wait: 'poll', timeoutMs: TIMEOUT_MS },
    moves: [{ move: 'copy', mr: end.mr.mr, from: own, offset: BOUNCE, length: size }],
  });
  return median(timesNs.slice(WARM_UP));
}

type Setting = { kind: 'way'; way: Way; size: number } | { kind: 'copy'; size: number } | { kind: 'trip' };

const settingText = (one: Setting): string =>
  one.kind === 'way'
    ? `${one.way.title}, ${formatBytes(one.size)}`
    : one.kind === 'copy'
      ? `Copy of ${formatBytes(one.size)}`
      : 'Round trip of a control message';

async function measureOne(ctx: Context, ends: Ends, one: Setting): Promise<number> {
  const { messages } = ctx.params;
  if (one.kind === 'copy')
    return (await copyNs(ctx, ends.sender, one.size)) + (await copyNs(ctx, ends.receiver, one.size));
  const moves = one.kind === 'trip' ? roundTripMoves(ends) : movesOf(ctx, ends, one.way, one.size);
  return median((await perform(ends, moves, messages + WARM_UP, 'poll')).slice(WARM_UP));
}

export async function measure(ctx: Context, ends: Ends): Promise<Measured> {
  const sizes = sizesOf(ctx.params);
  const settings: Setting[] = [
    { kind: 'trip' },
    ...sizes.flatMap((size): Setting[] => [
      { kind: 'copy', size },
      ...WAYS.map((way) => ({ kind: 'way' as const, way, size })),
    ]),
  ];
  const found = await inPhase(ctx, 'times', 'Times of all ways', () =>
    sweep(ctx, settings, ctx.params.repeat, settingText, (one) => measureOne(ctx, ends, one)),
  );
  const measured: Measured = { times: [], copies: [], roundTrip: statOf(found[0]!) };
  for (const [i, one] of settings.entries()) {
    const stat = statOf(found[i]!);
    if (one.kind === 'way') measured.times.push({ way: one.way, size: one.size, stat, rounds: found[i]! });
    else if (one.kind === 'copy') measured.copies.push({ size: one.size, stat });
  }
  return measured;
}

export interface WayCpu {
  way: Way;
  sender: ProcessCpu;
  receiver: ProcessCpu;
}

/** CPU time per message of the largest size, in ns: medians. Both ends sleep while they wait for messages. */
export async function measureCpu(ctx: Context, ends: Ends): Promise<WayCpu[]> {
  const { largest, messages, repeat } = ctx.params;
  const found = await inPhase(ctx, 'cpu', 'CPU time of all ways', () =>
    sweep(
      ctx,
      WAYS,
      repeat,
      ({ title }) => title,
      async (way) => {
        const work = () => perform(ends, movesOf(ctx, ends, way, largest), messages, 'event');
        const { found: receiver, cpu: sender } = await withCpu(ends.sender.endpoint, () =>
          withCpu(ends.receiver.endpoint, work),
        );
        return { sender: cpuPer(sender, messages), receiver: cpuPer(receiver.cpu, messages) };
      },
    ),
  );
  return WAYS.map((way, i) => ({
    way,
    sender: middleOf(found[i]!.map(({ sender }) => sender)),
    receiver: middleOf(found[i]!.map(({ receiver }) => receiver)),
  }));
}

/** The median of each part. */
function middleOf(all: readonly ProcessCpu[]): ProcessCpu {
  const nic = all.flatMap(({ nicNs }) => nicNs ?? []);
  return {
    appNs: median(all.map(({ appNs }) => appNs)),
    nicNs: nic.length === all.length ? median(nic) : null,
  };
}

/** The ways that bring the largest message, with every byte, into a buffer that held something else. */
export async function arrivals(ctx: Context, ends: Ends): Promise<{ way: Way; arrived: boolean }[]> {
  const { sender, receiver } = ends;
  const { largest } = ctx.params;
  const own = ownOf(ctx.params);
  const found: { way: Way; arrived: boolean }[] = [];
  for (const [i, way] of WAYS.entries()) {
    for (const [{ endpoint, mr }, seed] of [
      [sender, SEED + i],
      [receiver, 0],
    ] as const)
      await endpoint.call('fillMemory', { mr: mr.mr, offset: own, length: largest, seed });
    await perform(ends, movesOf(ctx, ends, way, largest), 1, 'poll');
    const hashes = [await hashOf(sender, own, largest), await hashOf(receiver, own, largest)];
    found.push({ way, arrived: hashes[0] === hashes[1] });
  }
  return found;
}
