/** Goodput of WRITEs at each loss, and the counters of the device. */
import type { EndpointLoopResult, LabContext } from '@verbslab/protocol';
import { bandwidth, goodput } from '../load/loop.js';
import type { Pair } from '../load/pair.js';
import { formatExact } from '../base/format.js';
import { WARM_UP_MS } from '../form/common-params.js';
import { statOf, sweep, type Stat } from '../base/sweep.js';
import { timeWithLoss, timeoutNs, type Sender } from '../loss/go-back-n.js';
import { counting, seedOf, withFaults } from '../loss/faulty.js';
import type { LossCostParams } from './params.js';

type Context = LabContext<LossCostParams>;

export interface Setting {
  size: number;
  window: number;
  /** Probability that a packet of the client is lost. */
  loss: number;
}

interface Round {
  loop: EndpointLoopResult;
  lost: number;
  timeouts: number;
  retransmitted: number;
  sent: number;
  /** The server’s memory holds what the client wrote; null if no message completed in the measured time. */
  arrived: boolean | null;
}

export interface Point extends Setting {
  gbps: Stat;
  /** Input of the formula: the measurement without loss. */
  sender: Sender;
  /** Gb/s that the formula gives. */
  predicted: number;
  rounds: Round[];
}

export const lossesOf = (highest: number): number[] => [...new Set([0, 0.0001, 0.001, 0.01, highest / 100])];

/** Messages that the loop goes through in memory. */
export const SLOTS = 4;

async function fill(pair: Pair, size: number, seed: number): Promise<void> {
  // Two patterns, so that nothing is equal before it was written.
  for (const [{ endpoint, mr }, own] of [
    [pair.client, seed],
    [pair.server, seed + 1],
  ] as const)
    await endpoint.call('fillMemory', { mr: mr.mr, offset: 0, length: SLOTS * size, seed: own });
}

/** A completed WRITE is in the server’s memory, so there is nothing to wait for. */
async function same({ client, server }: Pair, length: number): Promise<boolean> {
  const hash = async ({ endpoint, mr }: Pair['client']): Promise<string> =>
    (await endpoint.call('hashMemory', { mr: mr.mr, offset: 0, length })).sha256;
  return (await hash(client)) === (await hash(server));
}

async function measure(
  ctx: Context,
  pairs: ReadonlyMap<number, Pair>,
  { size, window, loss }: Setting,
  seed: number,
): Promise<Round> {
  const pair = pairs.get(size)!;
  const { endpoint } = pair.client;
  await fill(pair, size, seed);
  const { result, did } = await withFaults(endpoint, { rates: { drop: loss, seed: seedOf(seed) } }, () =>
    counting(endpoint, () =>
      bandwidth(pair, {
        size,
        txDepth: window,
        cqMod: 1,
        walk: true,
        durationMs: ctx.params.duration,
        omitMs: WARM_UP_MS,
        mayBeEmpty: loss > 0,
      }),
    ),
  );
  const { result: loop, moved } = result;
  const written = Math.min(SLOTS, loop.messages) * size;
  return {
    loop,
    lost: did.dropped,
    timeouts: moved.local_ack_timeout_err ?? 0,
    retransmitted: moved.retransmitted_pkts ?? 0,
    sent: moved.sent_pkts ?? 0,
    arrived: written === 0 ? null : await same(pair, written),
  };
}

/** All points, in the order of the settings. `pairs`: by message size. */
export async function measureAll(ctx: Context, pairs: ReadonlyMap<number, Pair>): Promise<Point[]> {
  const { small, large, window, highest, repeat, seed, timeout } = ctx.params;
  const settings = [small, large].flatMap((size) =>
    [1, window].flatMap((depth) => lossesOf(highest).map((loss): Setting => ({ size, window: depth, loss }))),
  );
  let taken = 0;
  const found = await sweep(
    ctx,
    settings,
    repeat,
    ({ size, window: depth, loss }) => `${size} B, ${depth} in flight, ${formatExact(loss * 100)} % loss`,
    (setting) => measure(ctx, pairs, setting, seed + Math.floor(taken++ / settings.length)),
  );
  const lossless = new Map<string, Round[]>();
  return settings.map((setting, i): Point => {
    const rounds = found[i]!;
    const { size, window: depth, loss } = setting;
    const key = `${size} ${depth}`;
    if (loss === 0) lossless.set(key, rounds);
    const base = lossless.get(key)!;
    const perMessage = (size * 8) / statOf(base.map(({ loop }) => goodput(loop))).value;
    const sender: Sender = {
      packets: Math.ceil(size / pairs.get(size)!.client.qp.info.mtu),
      window: depth,
      perMessage,
      latency: statOf(base.map(({ loop }) => loop.latency.meanNs)).value,
      timeout: timeoutNs(timeout),
    };
    return {
      ...setting,
      sender,
      gbps: statOf(rounds.map(({ loop }) => goodput(loop))),
      predicted: (size * 8) / timeWithLoss(sender, loss),
      rounds,
    };
  });
}
