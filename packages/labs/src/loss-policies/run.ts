import type { LabContext, Simulated } from '@verbslab/protocol';
import { formatNumber } from '../base/format.js';
import type { Stat } from '../base/sweep.js';
import { checkFigures } from '../endpoints/too-busy.js';
import { farthest, meanOf } from '../fabric/means.js';
import { seedsOf } from '../fabric/params.js';
import { heightOf } from '../form/common-results.js';
import { FULL, LOSSES, RECOVERIES, scenarioOf, shareOf, simulatedShare, type RecoveryId } from './formula.js';
import { livePath, LivePath, type Live } from './live.js';
import type { LossPoliciesParams } from './params.js';

type Context = LabContext<LossPoliciesParams>;

/** Part by which a formula may be off where many packets are lost, so that chance says little. */
const TOLERANCE = 0.2;
/** Standard deviations that chance may add to the tolerance of a live figure. */
const SIGMAS = 3;

interface Point {
  recovery: RecoveryId;
  name: string;
  percent: number;
  kept: Stat;
  formula: number;
  /** Packets sent again per loss. */
  again: number;
  timeouts: number;
  live: { kept: number; formula: number; again: number; timeouts: number; chance: number };
}

const residual = ({ kept, formula }: Point): number => kept.value / formula - 1;
const liveResidual = ({ live }: Point): number => live.kept / live.formula - 1;
const againOf = (retransmitted: number, lost: number): number => retransmitted / Math.max(1, lost);

/** Part of the goodput by which chance moves a live measurement: by its losses, its timeouts and its messages. */
function chanceOf(
  { recovery, messages, packets, kept }: Live,
  params: LossPoliciesParams,
  loss: number,
): number {
  const { flight, timeout } = livePath(params);
  const lost = loss * packets * kept;
  const waits = recovery === 'selective-repeat' ? 0 : loss * lost;
  const tries = recovery === 'go-back-0' ? 1 / Math.max(1, messages) : 0;
  return Math.sqrt(lost * (flight / packets) ** 2 + waits * (timeout / packets) ** 2 + tries);
}

function liveOf(live: Live, params: LossPoliciesParams, loss: number): Point['live'] {
  return {
    kept: live.kept,
    formula: shareOf(live.recovery, livePath(params), loss),
    again: againOf(live.retransmitted, live.lost),
    timeouts: live.timeouts,
    chance: chanceOf(live, params, loss),
  };
}

async function simulate(
  ctx: Context,
  { id, name }: (typeof RECOVERIES)[number],
  percent: number,
): Promise<Omit<Point, 'live'>> {
  const loss = percent / 100;
  const runs: Simulated[] = [];
  for (const seed of seedsOf(ctx.params))
    runs.push(
      await ctx.simulate(scenarioOf(id, ctx.params, loss, seed), {
        title: `${name}, ${percent} % loss, seed ${seed}`,
      }),
    );
  const sum = (value: (one: Simulated) => number): number => runs.reduce((all, one) => all + value(one), 0);
  return {
    ...{ recovery: id, name, percent },
    kept: meanOf(runs.map(({ result }) => result.goodput_gbps / FULL)),
    formula: simulatedShare(id, ctx.params, loss, runs[0]!.scenario.rtt_us),
    again: againOf(
      sum(({ result }) => result.retransmitted),
      sum(({ result }) => result.drops['link loss'] ?? 0),
    ),
    timeouts: sum(({ result }) => result.timeouts) / runs.length,
  };
}

function show(ctx: Context, point: Point): void {
  const { recovery, name, percent, kept, live } = point;
  ctx.row('points', {
    recovery: name,
    loss: percent,
    formula: point.formula * 100,
    kept: kept.value * 100,
    residual: residual(point) * 100,
    again: point.again,
    timeouts: point.timeouts,
    live: live.kept * 100,
    'live-residual': liveResidual(point) * 100,
    'live-again': live.again,
    'live-timeouts': live.timeouts,
  });
  ctx.point('kept', { x: percent, y: point.formula * 100, series: `${recovery}-formula` });
  const { value, min, max } = kept;
  ctx.point('kept', {
    x: percent,
    ...heightOf({ value: value * 100, min: min * 100, max: max * 100, n: 0 }),
    series: recovery,
  });
  ctx.point('kept', { x: percent, y: live.kept * 100, series: `${recovery}-live` });
  ctx.point('residuals', { x: percent, y: residual(point) * 100, series: recovery });
  ctx.point('residuals', { x: percent, y: liveResidual(point) * 100, series: `${recovery}-live` });
  if (point.again > 0) ctx.point('again', { x: percent, y: point.again, series: recovery });
  if (live.again > 0) ctx.point('again', { x: percent, y: live.again, series: `${recovery}-live` });
}

export async function runLossPolicies(ctx: Context): Promise<void> {
  ctx.progress(0, 'The live device, without loss');
  const path = await LivePath.open(ctx);
  const all: Point[] = [];
  for (const [i, percent] of LOSSES.entries()) {
    ctx.signal.throwIfAborted();
    ctx.progress(i / LOSSES.length, `${percent} % loss on the live device`);
    const live = await path.measure(percent / 100);
    for (const [at, recovery] of RECOVERIES.entries()) {
      ctx.progress((i + 0.7 + at / 10) / LOSSES.length, `${percent} % loss simulated: ${recovery.name}`);
      const point = {
        ...(await simulate(ctx, recovery, percent)),
        live: liveOf(
          live.find((one) => one.recovery === recovery.id)!,
          ctx.params,
          percent / 100,
        ),
      };
      show(ctx, point);
      all.push(point);
    }
  }
  await path.close();
  conclude(ctx, all);
}

function conclude(ctx: Context, all: readonly Point[]): void {
  const at = (recovery: RecoveryId, percent: number): Point =>
    all.find((one) => one.recovery === recovery && one.percent === percent)!;
  const worst = LOSSES.at(-1)!;
  const [n, zero, selective] = RECOVERIES.map(({ id }) => at(id, worst)) as [Point, Point, Point];
  const far = farthest(all.map(residual));
  for (const [name, point] of [
    ['n', n],
    ['zero', zero],
    ['selective', selective],
  ] as const) {
    ctx.figure(name, point.kept.value * 100);
    ctx.figure(`${name}-live`, point.live.kept * 100);
  }
  ctx.figure('n-some', at('go-back-n', 0.1).kept.value * 100);
  ctx.figure('n-again', n.again);
  ctx.figure('n-again-live', n.live.again);
  ctx.figure('selective-again', selective.again);
  ctx.figure('residual', far * 100);
  ctx.figure('residual-live', farthest(all.map(liveResidual)) * 100);
  ctx.outcome('again', n.again < 2 ? 'one' : n.again < 10 ? 'few' : 'many');

  ctx.check(
    'formula',
    Math.abs(far) <= TOLERANCE,
    `The simulated goodput differs from the formulas by at most ${formatNumber(Math.abs(far) * 100)} % (limit ${formatNumber(TOLERANCE * 100)} %).`,
  );
  checkLive(ctx, all);
  const wrong = LOSSES.filter(
    (percent) =>
      at('selective-repeat', percent).kept.value < at('go-back-n', percent).kept.value * 0.98 ||
      at('go-back-n', percent).kept.value < at('go-back-0', percent).kept.value * 0.98,
  );
  ctx.check(
    'order',
    wrong.length === 0,
    wrong.length === 0
      ? 'At every loss, selective repeat kept most and go-back-0 least, within 2 %.'
      : `The order fails at ${wrong.join(', ')} %.`,
  );
  ctx.check(
    'selective',
    selective.again <= 1.5,
    `Selective repeat sent ${formatNumber(selective.again)} packets again per loss, go-back-N ${formatNumber(n.again)}.`,
  );
  const shown = ({ kept, live }: Point): string =>
    `${formatNumber(kept.value * 100)} % (live ${formatNumber(live.kept * 100)} %)`;
  ctx.answer(
    `At ${worst} % loss, go-back-N kept ${shown(n)} of the goodput, go-back-0 ${shown(zero)}, and selective repeat ${shown(selective)}.`,
  );
}

/** A busy machine makes the live device slower than the formulas, and never faster. */
function checkLive(ctx: Context, all: readonly Point[]): void {
  const limit = ({ live }: Point): number => TOLERANCE + SIGMAS * live.chance;
  const off = all.filter((point) => Math.abs(liveResidual(point)) > limit(point));
  const [first] = off;
  checkFigures(
    ctx,
    'live',
    { holds: off.length === 0, refuted: off.some((point) => liveResidual(point) > 0) },
    first
      ? `At ${first.percent} % loss, ${first.name} kept ${formatNumber(first.live.kept * 100)} % on the live device, and ${formatNumber(first.live.formula * 100)} % by the formula.`
      : `The live goodput differs from the formulas by at most ${formatNumber(Math.abs(farthest(all.map(liveResidual))) * 100)} %. Chance alone moves it by up to ${formatNumber(Math.max(...all.map(({ live }) => live.chance)) * 100)} %.`,
  );
}
