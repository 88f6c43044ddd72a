import type { LabContext } from '@verbslab/protocol';
import { heightOf } from '../form/common-results.js';
import { formatNumber, plural } from '../base/format.js';
import { bandwidth, cpuPerMessageOf, messageRate } from '../load/loop.js';
import { closePair, connectPair } from '../load/pair.js';
import { WARM_UP_MS } from '../form/common-params.js';
import { bendOf, kneeText, powersOfTwo, statOf, sweep, type Stat } from '../base/sweep.js';
import { compare, doubtOf, ratioText } from '../base/verdict.js';
import type { PostListsParams } from './params.js';
import { refuseLists } from './refused.js';

type Context = LabContext<PostListsParams>;

/** Requests that the counted transfer posts. */
const COUNTED = 1024;

interface Measured {
  length: number;
  /** Thousand messages per second. */
  rate: Stat;
  /** CPU time of the client per message, ns. */
  cpu: Stat;
}

export async function runPostLists(ctx: Context): Promise<void> {
  const { size, largest, depth, duration, repeat, link } = ctx.params;
  const settings = powersOfTwo(largest);
  // Equal signals for every list, so that only the posts differ.
  const load = { size, txDepth: depth, cqMod: Math.max(1, depth >> 2), wait: 'event' as const };
  const pair = await connectPair(ctx, { link, memory: 65_536, sendDepth: depth, events: true });
  const wrong: string[] = [];
  for (const length of settings) {
    const { whole, messages } = await bandwidth(pair, { ...load, postList: length, iterations: COUNTED });
    const expected = Math.ceil(COUNTED / load.cqMod);
    if (messages !== COUNTED || whole?.completions !== expected)
      wrong.push(
        `lists of ${length}: ${plural(messages, 'message')}, ${plural(whole?.completions ?? 0, 'completion')}`,
      );
  }
  ctx.check(
    'same-work',
    wrong.length === 0,
    wrong.length === 0
      ? `With every length ${COUNTED} requests sent ${COUNTED} messages and produced ${Math.ceil(COUNTED / load.cqMod)} completions.`
      : `It differs: ${wrong.join('; ')}.`,
  );
  const loops = await sweep(
    ctx,
    settings,
    repeat,
    (length) => `lists of ${length}`,
    (length) => bandwidth(pair, { ...load, postList: length, durationMs: duration, omitMs: WARM_UP_MS }),
  );
  await closePair(pair);
  const measured = settings.map((length, i): Measured => {
    const rounds = loops[i]!;
    const rate = statOf(rounds.map((loop) => messageRate(loop) / 1000));
    const cpu = cpuPerMessageOf(rounds);
    ctx.point('rate', { x: length, ...heightOf(rate) });
    ctx.point('cpu', { x: length, ...heightOf(cpu) });
    ctx.row('lists', { length, calls: 1e6 / length, rate: rate.value, cpu: cpu.value });
    return { length, rate, cpu };
  });
  report(ctx, measured, await refuseLists(ctx));
}

function report(ctx: Context, measured: readonly Measured[], accepted: number | null): void {
  const single = measured[0]!;
  const best = measured.reduce((a, b) => (b.rate.value > a.rate.value ? b : a));
  const rates = measured.map(({ length, rate }) => ({ x: length, y: rate.value }));
  ctx.figure('single', single.rate.value, single.rate);
  ctx.figure('single-cpu', single.cpu.value, single.cpu);
  ctx.figure('best', best.rate.value, best.rate);
  ctx.figure('best-cpu', best.cpu.value, best.cpu);
  ctx.figure('knee', bendOf(rates));
  ctx.figure('accepted', accepted);
  // The best of all settings is compared, so each of the others counts.
  const among = measured.length - 1;
  const clear = compare(best.rate, single.rate, among) === 'higher';
  ctx.outcome('gain', clear ? 'faster' : 'same');
  if (accepted !== null) ctx.outcome('refused', accepted > 0 ? 'some' : 'none');
  ctx.answer(
    `One request per post gave ${formatNumber(single.rate.value)} thousand messages per second, and lists of ${best.length} gave ${formatNumber(best.rate.value)}: ` +
      (clear
        ? `${ratioText(best.rate, single.rate, among)}, by the medians of ${single.rate.n} repetitions. ${kneeText(rates, (length) => `lists of ${length}`)}`
        : `${doubtOf(best.rate, single.rate, among)}.`),
  );
}
