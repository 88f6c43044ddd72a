import type { EndpointLoopResult, LabContext } from '@verbslab/protocol';
import { formatBytes, formatNumber, formatTime, plural } from '../base/format.js';
import { bandwidth, goodput, messageRate } from '../load/loop.js';
import { closePair, connectPair, type Pair } from '../load/pair.js';
import { WARM_UP_MS } from '../form/common-params.js';
import { tryPost, writeOf } from '../load/posting.js';
import { bendOf, kneeOf, kneeText, powersOfTwo, statOf, sweep, type Stat } from '../base/sweep.js';
import { tooBusy } from '../endpoints/too-busy.js';
import { bandwidthDelay, inFlight, mostInFlight, windowLimited } from '../formulas/little.js';
import type { OutstandingParams } from './params.js';

type Context = LabContext<OutstandingParams>;

/** 4.096 µs × 2^16: 0.27 s; the longest added delay and a queue of packets behind it are far below. */
const ACK_TIMEOUT = 16;
interface Measured {
  depth: number;
  /** Range of the repetitions, Gb/s. */
  gbps: Stat;
  /** Range of the mean latencies, ns. */
  latency: Stat;
  /** Requests in flight on average in the fastest repetition, by Little’s law. */
  flying: number;
  /** True if every repetition had at most as many in flight as allowed; null where nothing completed in any. */
  allowed: boolean | null;
}

/** The fastest repetition counts: other programs on the machine can only slow one down. */
const fastest = (one: Measured): number => one.gbps.max;
const shortest = (one: Measured): number => one.latency.min;

export async function runOutstanding(ctx: Context): Promise<void> {
  const { operation, size, largest, duration, repeat, link, initiatorDepth } = ctx.params;
  const settings = powersOfTwo(largest);
  const pair = await connectPair(ctx, {
    link,
    memory: Math.max(size * 2, 65_536),
    sendDepth: largest,
    connect: { timeout: ACK_TIMEOUT, maxRdAtomic: initiatorDepth, maxDestRdAtomic: initiatorDepth },
  });
  const delayed = await addDelay(ctx, pair);
  const loops = await sweep(
    ctx,
    settings,
    repeat,
    (depth) => `${plural(depth, 'request')} in flight`,
    (depth) =>
      bandwidth(pair, {
        op: operation,
        size,
        txDepth: depth,
        cqMod: 1,
        durationMs: duration,
        omitMs: WARM_UP_MS,
      }),
  );
  const measured = settings.map((depth, i): Measured => {
    const rounds = completing(loops[i]!);
    const gbps = statOf(rounds.map(goodput));
    const latency = statOf(rounds.map((loop) => loop.latency.meanNs));
    const flying = rounds.map((loop) => inFlight(messageRate(loop), loop.latency.meanNs));
    return {
      depth,
      gbps,
      latency,
      flying: flying[rounds.findIndex((loop) => goodput(loop) === gbps.max)] ?? NaN,
      allowed: rounds.every(({ messages }) => messages === 0)
        ? null
        : rounds.every(
            ({ latency: { maxNs }, elapsedNs }, at) =>
              flying[at]! > 0 && flying[at]! <= mostInFlight(depth, maxNs, elapsedNs),
          ),
    };
  });
  show(ctx, measured);
  little(ctx, measured);
  await overfill(ctx, pair);
  if (delayed) await pair.server.endpoint.call('faults', { rates: {} });
  await closePair(pair);
  report(ctx, measured, delayed);
}

/** A repetition in which nothing completed, since the machine was busy elsewhere, has no latency. Where all are such, they stay. */
function completing(loops: readonly EndpointLoopResult[]): readonly EndpointLoopResult[] {
  const some = loops.filter(({ messages }) => messages > 0);
  return some.length > 0 ? some : loops;
}

/** Each direction could be delayed; one is enough, since a request is complete when the answer is back. */
async function addDelay(ctx: Context, { server }: Pair): Promise<boolean> {
  const { delay } = ctx.params;
  if (delay === 0) return false;
  if (!server.endpoint.has('faults')) {
    ctx.note(
      `${server.endpoint.device.name} offers no fault injection, so no delay is added. The knee comes earlier on a short path.`,
    );
    return false;
  }
  await server.endpoint.call('faults', { rates: { delay: 1, delayUs: delay } });
  return true;
}

function show(ctx: Context, measured: readonly Measured[]): void {
  const { size } = ctx.params;
  const first = measured[0]!;
  for (const one of measured) {
    const { depth, gbps, latency, flying } = one;
    ctx.point('goodput', { x: depth, y: fastest(one), min: gbps.min, max: gbps.max, series: 'measured' });
    ctx.point('goodput', { x: depth, y: windowLimited(depth, size, shortest(first)), series: 'computed' });
    ctx.point('latency', {
      x: depth,
      y: shortest(one) / 1000,
      min: latency.min / 1000,
      max: latency.max / 1000,
    });
    ctx.row('depths', { depth, gbps: fastest(one), latency: shortest(one) / 1000, flying });
  }
}

/** Requests in flight are never more than allowed, by the measured rate and latency. */
function little(ctx: Context, measured: readonly Measured[]): void {
  const wrong = measured.filter(({ allowed }) => allowed === false);
  const idle = measured.filter(({ allowed }) => allowed === null);
  if (wrong.length === 0 && idle.length > 0)
    return ctx.doesNotApply(
      'little',
      tooBusy(
        `no request completed in the measured time with ${idle.map(({ depth }) => depth).join(', ')} in flight.`,
      ),
    );
  ctx.check(
    'little',
    wrong.length === 0,
    wrong.length === 0
      ? `Message rate × mean latency gave ${formatNumber(measured[0]!.flying)} in flight with 1 allowed, and ${formatNumber(measured.at(-1)!.flying)} with ${measured.at(-1)!.depth} allowed.`
      : wrong
          .map(({ depth, flying }) => `${formatNumber(flying)} in flight with ${depth} allowed.`)
          .join(' '),
  );
}

/** Posts more requests than the send queue holds, while the server sends no ACK. */
async function overfill(ctx: Context, pair: Pair): Promise<void> {
  const { server, client } = pair;
  const { largest, size } = ctx.params;
  if (!server.endpoint.has('faults'))
    return ctx.doesNotApply(
      'too-many',
      'Slots may become free while the client posts. This device offers no fault injection to drop the ACKs.',
    );
  const slot = Math.min(size, 64);
  await server.endpoint.call('faults', { rates: { drop: 1 } });
  let accepted = 0;
  const wanted = largest + 1;
  while (accepted < wanted && (await tryPost(pair, writeOf(pair, 0, slot, accepted === largest - 1))))
    accepted++;
  await server.endpoint.call('faults', { rates: {} });
  ctx.figure('accepted', accepted);
  const ended = await client.endpoint.call('waitCq', { cq: client.cq.cq, count: 1, timeoutMs: 5000 });
  const status = ended.completions[0]?.statusName ?? 'none';
  ctx.check(
    'too-many',
    accepted === largest && status === 'SUCCESS',
    `A send queue for ${plural(largest, 'request')} accepted ${formatNumber(accepted)} without an ACK${accepted < wanted ? '; the next ibv_post_send failed with ENOMEM' : ''}. When ACKs arrived again, the last accepted request ended with ${status}.`,
  );
}

function report(ctx: Context, measured: readonly Measured[], delayed: boolean): void {
  const { size, operation } = ctx.params;
  const first = measured[0]!;
  const last = measured.at(-1)!;
  const best = measured.reduce((a, b) => (fastest(b) > fastest(a) ? b : a));
  const rates = measured.map((one) => ({ x: one.depth, y: fastest(one) }));
  const product = bandwidthDelay(fastest(best), shortest(first));
  ctx.figure('alone', fastest(first), first.gbps);
  ctx.figure('alone-latency', shortest(first) / 1000, {
    min: first.latency.min / 1000,
    max: first.latency.max / 1000,
    n: first.latency.n,
  });
  ctx.figure('best', fastest(best), best.gbps);
  ctx.figure('knee', bendOf(rates));
  ctx.figure('product', product);
  ctx.figure('needed', product / size);
  ctx.figure('last-latency', shortest(last) / 1000);
  ctx.answer(
    `One ${operation.toUpperCase()} of ${formatBytes(size)} in flight gave ${formatNumber(fastest(first))} Gb/s at ${formatTime(shortest(first))}${delayed ? ' with added delay' : ''}. ` +
      `The best was ${formatNumber(fastest(best))} Gb/s, with ${best.depth} in flight. ${kneeText(rates, (depth) => plural(depth, 'request'))} ` +
      `With ${last.depth} in flight a request took ${formatTime(shortest(last))}.`,
  );
  const filled = kneeOf(rates);
  ctx.outcome(
    'after',
    outcome(
      measured.find((one) => one.depth === filled)!,
      last,
    ),
  );
}

/**
 * Effect of more requests than those that first gave nearly the best goodput; if those are the last, goodput still
 * grew.
 */
function outcome(filled: Measured, last: Measured): string {
  if (last.depth === filled.depth) return 'goodput';
  return shortest(last) > MUCH * shortest(filled) ? 'latency' : 'same';
}

/** Factor from which a latency counts as longer. */
const MUCH = 1.2;
