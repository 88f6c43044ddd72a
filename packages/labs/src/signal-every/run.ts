import type { LabContext } from '@verbslab/protocol';
import { heightOf } from '../form/common-results.js';
import { formatNumber } from '../base/format.js';
import { bandwidth, cpuPerMessageOf, messageRate } from '../load/loop.js';
import { closePair, connectPair } from '../load/pair.js';
import { WARM_UP_MS } from '../form/common-params.js';
import { bendOf, powersOfTwo, statOf, sweep, type Stat } from '../base/sweep.js';
import { compare, doubtOf, ratioText } from '../base/verdict.js';
import { countCompletions } from './count.js';
import type { SignalEveryParams } from './params.js';
import { fillQueue, type Filled } from './stuck.js';

type Context = LabContext<SignalEveryParams>;

interface Measured {
  every: number;
  /** Thousand messages per second. */
  rate: Stat;
  /** CPU time of the client per message, ns. */
  cpu: Stat;
}

const thousands = (value: number): string => `${formatNumber(value)} thousand messages per second`;

export async function runSignalEvery(ctx: Context): Promise<void> {
  const { size, depth, postList, wait, duration, repeat, link } = ctx.params;
  const settings = powersOfTwo(depth);
  const pair = await connectPair(ctx, {
    link,
    memory: Math.max(4096, size * postList),
    sendDepth: depth,
    events: wait === 'event',
  });
  await countCompletions(ctx, pair, settings);
  const loops = await sweep(
    ctx,
    settings,
    repeat,
    (every) => `one signal in every ${every}`,
    (every) =>
      bandwidth(pair, {
        size,
        txDepth: depth,
        cqMod: every,
        postList,
        wait,
        durationMs: duration,
        omitMs: WARM_UP_MS,
      }),
  );
  await closePair(pair);
  const measured = settings.map((every, i): Measured => {
    const rounds = loops[i]!;
    const rate = statOf(rounds.map((loop) => messageRate(loop) / 1000));
    const cpu = cpuPerMessageOf(rounds);
    ctx.point('rate', { x: every, ...heightOf(rate) });
    ctx.point('cpu', { x: every, ...heightOf(cpu) });
    return { every, rate, cpu };
  });
  report(ctx, measured, await fillQueue(ctx));
}

function report(ctx: Context, measured: readonly Measured[], filled: Filled | null): void {
  const [all] = measured;
  const best = measured.reduce((a, b) => (b.rate.value > a.rate.value ? b : a));
  const rates = measured.map(({ every, rate }) => ({ x: every, y: rate.value }));
  if (!all) return;
  ctx.figure('every-one', all.rate.value, all.rate);
  ctx.figure('best', best.rate.value, best.rate);
  ctx.figure('best-every', best.every);
  ctx.figure('knee', bendOf(rates));
  ctx.figure('room', filled?.room ?? null);
  // The best of all settings is compared, so each of the others counts.
  const among = measured.length - 1;
  const gain = compare(best.rate, all.rate, among);
  ctx.outcome('gain', gain === 'higher' ? 'faster' : 'same');
  if (filled) ctx.outcome('none', 'full');
  const knee = bendOf(rates);
  const speed =
    gain === 'higher'
      ? `Signal one in every ${knee ?? best.every} requests or fewer: one in ${best.every} gave ${thousands(best.rate.value)}, ${ratioText(best.rate, all.rate, among)} the rate with every request signaled.`
      : best === all
        ? `No setting was faster than signaling every request: ${thousands(all.rate.value)}.`
        : `How often hardly matters to the rate here: ${thousands(best.rate.value)} with one signal in ${best.every}, ${formatNumber(all.rate.value)} thousand with every request signaled (${doubtOf(best.rate, all.rate, among)}).`;
  ctx.answer(
    `${speed} ` +
      (filled
        ? `But signal at least once per send queue: without, its ${filled.room} slots filled, and posting failed with ENOMEM${filled.freed ? ' until ACKs arrived' : ' for good'}.`
        : 'This device freed slots faster than the client posted without signals.'),
  );
}
