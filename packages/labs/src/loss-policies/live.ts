/**
 * Path of the live device: the simulated one, slowed down so that the CPU does not decide. Its packets take 512 times as long, and so does the
 * ACK timeout. Each recovery has a client, whose device loses packets and lets the others through at that rate.
 */
import type { EndpointLoopResult, LabContext } from '@verbslab/protocol';
import { timeoutMs } from '../formulas/retry-timers.js';
import { bandwidth, goodput } from '../load/loop.js';
import { closePair, connectPair, type Pair } from '../load/pair.js';
import { counting, seedOf, withFaults } from '../loss/faulty.js';
import { PACKET_US, packetsOf, RECOVERIES, type PathInPackets, type RecoveryId } from './formula.js';
import type { LossPoliciesParams } from './params.js';

const MTU = 1024;
/** Bytes of a packet beside its payload: IPv4, UDP, BTH, ICRC. The device counts them in its rate. */
const HEADERS = 20 + 8 + 12 + 4;
/** The path is slower than the simulated one by this power of two. */
const SLOWER = 9;
const PACKET_MS = (PACKET_US * 2 ** SLOWER) / 1000;
const RATE_BPS = Math.round(((MTU + HEADERS) * 8) / (PACKET_MS / 1000));
/** Most packets in flight: what a receiver with selective repeat keeps. */
const IN_FLIGHT = 128;
/** Time until the queue of the slow path is full, ms. */
const FILL_MS = 200;
const WITHOUT_LOSS_MS = 1000;

/** Messages in flight. */
const depthOf = (message: number): number => Math.max(1, Math.floor(IN_FLIGHT / packetsOf(message)));

/**
 * The live path. A message is posted only when an earlier one is acknowledged, so on average the queue of the slow path is
 * short of half a message.
 */
export const livePath = ({ message, timeout }: LossPoliciesParams): PathInPackets => ({
  message: packetsOf(message),
  flight: depthOf(message) * packetsOf(message) - packetsOf(message) / 2,
  timeout: timeoutMs(timeout + SLOWER) / PACKET_MS,
});

interface Run {
  result: EndpointLoopResult;
  moved: Readonly<Record<string, number>>;
  lost: number;
}

export interface Live {
  recovery: RecoveryId;
  /** Goodput over the one without loss. */
  kept: number;
  lost: number;
  retransmitted: number;
  timeouts: number;
  messages: number;
  /** Packets that the path takes in the measured time. */
  packets: number;
}

export class LivePath {
  readonly #ctx: LabContext<LossPoliciesParams>;
  readonly #pairs: ReadonlyMap<RecoveryId, Pair>;
  readonly #whole = new Map<RecoveryId, number>();

  private constructor(ctx: LabContext<LossPoliciesParams>, pairs: ReadonlyMap<RecoveryId, Pair>) {
    this.#ctx = ctx;
    this.#pairs = pairs;
  }

  /** Connects a client for each recovery, and measures it without loss. */
  static async open(ctx: LabContext<LossPoliciesParams>): Promise<LivePath> {
    const { message, timeout } = ctx.params;
    const pairs = new Map<RecoveryId, Pair>();
    for (const [i, { id }] of RECOVERIES.entries())
      pairs.set(
        id,
        await connectPair(
          ctx,
          {
            link: 'auto',
            memory: packetsOf(message) * MTU,
            sendDepth: depthOf(message),
            events: true,
            policy: { recovery: id },
            connect: { timeout: timeout + SLOWER, mtu: MTU },
          },
          { client: `client-${i + 1}`, server: 'server' },
        ),
      );
    const path = new LivePath(ctx, pairs);
    for (const { recovery, result } of await path.#run(0, WITHOUT_LOSS_MS))
      path.#whole.set(recovery, goodput(result));
    return path;
  }

  /** All recoveries at once. @param loss 0 to 1 */
  async measure(loss: number): Promise<Live[]> {
    const seconds = this.#ctx.params.live;
    const runs = await this.#run(loss, seconds * 1000);
    return runs.map(({ recovery, result, moved, lost }) => ({
      recovery,
      kept: goodput(result) / this.#whole.get(recovery)!,
      lost,
      retransmitted: moved.retransmitted_pkts ?? 0,
      timeouts: moved.local_ack_timeout_err ?? 0,
      messages: result.messages,
      packets: (seconds * 1000) / PACKET_MS,
    }));
  }

  async close(): Promise<void> {
    for (const pair of this.#pairs.values()) await closePair(pair);
  }

  #run(loss: number, durationMs: number): Promise<(Run & { recovery: RecoveryId })[]> {
    const { message, seed } = this.#ctx.params;
    const load = {
      ...{ size: packetsOf(message) * MTU, txDepth: depthOf(message), cqMod: 1, wait: 'event' as const },
      ...{ durationMs, omitMs: FILL_MS, mayBeEmpty: loss > 0 },
    };
    return Promise.all(
      [...this.#pairs].map(async ([recovery, pair], i) => {
        const { endpoint } = pair.client;
        const faults = { rates: { drop: loss, seed: seedOf(seed + i) }, shaping: { rateBps: RATE_BPS } };
        const { result, did } = await withFaults(endpoint, faults, () =>
          counting(endpoint, () => bandwidth(pair, load)),
        );
        return { recovery, ...result, lost: did.dropped };
      }),
    );
  }
}
