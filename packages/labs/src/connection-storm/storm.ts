/** Connections by rdma_cm, and by hand over TCP: the same number at each level, more and more of them at once. */
import { median, type CmMade, type HandMade } from '@verbslab/protocol';
import { conversations, CM_ORDER } from '../cm/conversation.js';
import { formatCount, plural } from '../base/format.js';
import { powersOfTwo, statOf, sweep, type Stat } from '../base/sweep.js';
import { inPhase } from '../endpoints/phase.js';
import { TIMEOUT_MS, type Stage } from './stage.js';
import { NO_PACKETS } from '../wire/packet-watch.js';

export interface Level {
  atOnce: number;
  cm: CmMade[];
  hand: HandMade[];
  /** Connections per second, over the repetitions. */
  cmRate: Stat;
  handRate: Stat;
  /** µs from the first call to ESTABLISHED, of each connection, ascending. */
  times: number[];
}

/** Connections that had all five messages, and messages that were sent again. */
interface Captured {
  complete: number;
  found: number;
  repeated: number;
}

const us = (ns: readonly number[]): number[] => ns.map((one) => one / 1000).sort((a, b) => a - b);

/** Per second, between the first begin and the last end. */
function rateOf(begins: readonly number[], ends: readonly number[]): number {
  const ns = Math.max(...ends) - Math.min(...begins);
  return ns > 0 ? (ends.length / ns) * 1e9 : 0;
}

/** Runs `atOnce` callers at once; each makes its share of the connections one after another. */
const shared = async <T>(atOnce: number, one: () => Promise<readonly T[]>): Promise<T[]> =>
  (await Promise.all(Array.from({ length: atOnce }, one))).flat();

export async function byCm(stage: Stage, atOnce: number, count: number): Promise<CmMade[]> {
  const { client, server } = stage;
  const { address, port } = server.listener;
  const args = { address, port, ...client.queues, count, timeoutMs: TIMEOUT_MS };
  return shared(atOnce, async () => (await client.endpoint.call('cm.connectMany', args)).connections);
}

async function byHand(stage: Stage, port: number, atOnce: number, count: number): Promise<HandMade[]> {
  const { client, host } = stage;
  const args = { host, port, ...client.queues, count, timeoutMs: TIMEOUT_MS };
  return shared(atOnce, async () => (await client.endpoint.call('hand.connectMany', args)).connections);
}

const CALLS = {
  address: 'rdma_resolve_addr',
  route: 'rdma_resolve_route',
  qp: 'rdma_create_qp',
  connect: 'rdma_connect',
} as const;
type Step = keyof typeof CALLS;
const STEPS = Object.keys(CALLS) as Step[];

/** A repetition of one level. */
interface Round {
  cm: CmMade[];
  hand: HandMade[];
  cmRate: number;
  handRate: number;
  /** µs, of each call of the client. */
  steps: Record<Step, number[]>;
}

const madeOf = (cm: readonly CmMade[]): CmMade[] =>
  cm.filter(({ event, endedAt }) => event === 'ESTABLISHED' && endedAt !== null);

async function measure(stage: Stage, atOnce: number, handPort: number): Promise<Round> {
  const { ctx } = stage;
  const count = Math.ceil(ctx.params.connections / atOnce);
  ctx.calls('client');
  const cm = await byCm(stage, atOnce, count);
  const calls = ctx.calls('client');
  const durations = (name: string): number[] =>
    calls.filter(({ call }) => call === name).map(({ durationNs }) => durationNs / 1000);
  const hand = await byHand(stage, handPort, atOnce, count);
  const made = madeOf(cm);
  return {
    cm,
    hand,
    cmRate: rateOf(
      made.map(({ beganAt }) => beganAt),
      made.map(({ endedAt }) => endedAt!),
    ),
    handRate: rateOf(
      hand.map(({ beganAt }) => beganAt),
      hand.map(({ doneAt }) => doneAt),
    ),
    steps: Object.fromEntries(STEPS.map((step) => [step, durations(CALLS[step])])) as Round['steps'],
  };
}

const middle = (values: readonly number[]): number | null => (values.length > 0 ? median(values) : null);

/** Shows all repetitions of one number at once, together. */
function showLevel({ ctx }: Stage, atOnce: number, rounds: readonly Round[]): Level {
  const cm = rounds.flatMap((one) => one.cm);
  const hand = rounds.flatMap((one) => one.hand);
  const made = madeOf(cm);
  const times = us(made.map(({ beganAt, answeredAt }) => answeredAt! - beganAt));
  const cmRate = statOf(rounds.map((one) => one.cmRate));
  const handRate = statOf(rounds.map((one) => one.handRate));
  for (const [series, { value, min, max }] of [
    ['cm', cmRate],
    ['hand', handRate],
  ] as const)
    ctx.point('rate', { x: atOnce, y: value, min, max, series });
  const steps = STEPS.map((step) => [step, middle(rounds.flatMap((one) => one.steps[step]))] as const);
  const total = middle(times);
  const known = steps.reduce((sum, [, time]) => sum + (time ?? 0), 0);
  ctx.row('levels', {
    atOnce,
    connections: cm.length,
    rate: cmRate.value,
    lowest: cmRate.min,
    highest: cmRate.max,
    median: total,
    ...Object.fromEntries(steps),
    other: total === null ? null : total - known,
    longest: times.at(-1) ?? null,
    end: middle(us(made.map(({ answeredAt, endedAt }) => endedAt! - answeredAt!))),
    hand: handRate.value,
    tcp: middle(us(hand.map(({ beganAt, openedAt }) => openedAt - beganAt))),
  });
  return { atOnce, cm, hand, cmRate, handRate, times };
}

type Packets = Awaited<ReturnType<Stage['watch']['take']>>;

function captured(packets: Packets): Captured {
  const all = conversations(packets);
  return {
    found: all.length,
    complete: all.filter(({ messages }) =>
      CM_ORDER.every((name) => messages.some((message) => message.name === name)),
    ).length,
    repeated: all.flatMap(({ messages }) => messages).reduce((sum, { repeated }) => sum + repeated, 0),
  };
}

function check({ ctx, watch }: Stage, levels: readonly Level[], served: number, seen: Captured): void {
  const cm = levels.flatMap((level) => level.cm);
  const hand = levels.flatMap((level) => level.hand);
  const made = levels.reduce((sum, { times }) => sum + times.length, 0);
  ctx.check(
    'all-made',
    made === cm.length && served === cm.length,
    `${formatCount(made)} of ${plural(cm.length, 'connection')} by rdma_cm were made and ended at the client, ${formatCount(served)} at the server. By hand: ${formatCount(hand.length)}.`,
  );
  if (!watch.on) return ctx.doesNotApply('five-messages', NO_PACKETS);
  ctx.check(
    'five-messages',
    seen.complete === cm.length && seen.found === cm.length,
    `${formatCount(seen.complete)} of ${plural(cm.length, 'connection')} have all five messages. Sent again: ${plural(seen.repeated, 'message')}.`,
  );
}

function drawTimes({ ctx }: Stage, levels: readonly Level[]): void {
  for (const [series, level] of [
    ['one', levels[0]],
    ['most', levels.at(-1)],
  ] as const)
    level?.times.forEach((time, i) =>
      ctx.point('times', { x: time, y: ((i + 1) / level.times.length) * 100, series }),
    );
}

/** Levels in the order of their number at once. */
export async function makeStorm(stage: Stage): Promise<Level[]> {
  const { ctx, server, watch, host } = stage;
  const { cm } = server.listener;
  await server.endpoint.call('cm.serve', { cm, ...server.queues });
  const { port } = await server.endpoint.call('hand.serve', { host, ...server.queues });
  // Unmeasured: the first use of a call takes longer than the others.
  const before = (await byCm(stage, 1, 1)).length;
  await byHand(stage, port, 1, 1);
  await watch.take();
  const numbers = powersOfTwo(ctx.params.most);
  const packets: Packets = [];
  const rounds = await inPhase(ctx, 'rates', 'More and more connections at once', () =>
    sweep(
      ctx,
      numbers,
      ctx.params.repeat,
      (atOnce) => `${atOnce} at once`,
      async (atOnce) => {
        const round = await measure(stage, atOnce, port);
        // All at the end would be more than a tap keeps.
        packets.push(...(await watch.take()));
        return round;
      },
    ),
  );
  const levels = numbers.map((atOnce, i) => showLevel(stage, atOnce, rounds[i]!));
  const seen = captured([...packets, ...(await watch.take())]);
  const { established, ended } = await server.endpoint.call('cm.served', { cm });
  await server.endpoint.call('hand.served', {});
  drawTimes(stage, levels);
  check(stage, levels, Math.min(established, ended) - before, seen);
  return levels;
}
