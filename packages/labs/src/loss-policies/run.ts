import type { LabContext, Simulated } from '@verbslab/protocol';
import { formatNumber } from '../base/format.js';
import type { Stat } from '../base/sweep.js';
import { farthest, meanOf } from '../fabric/means.js';
import { seedsOf } from '../fabric/params.js';
import { heightOf } from '../form/common-results.js';
import { FULL, LOSSES, RECOVERIES, scenarioOf, shareOf, type RecoveryId } from './formula.js';
import type { LossPoliciesParams } from './params.js';

type Context = LabContext<LossPoliciesParams>;

/** Part by which a formula may be off where many packets are lost, so that chance says little. */
const TOLERANCE = 0.2;

interface Point {
  recovery: RecoveryId;
  percent: number;
  kept: Stat;
  formula: number;
  /** Packets sent again per loss. */
  again: number;
}

const residual = ({ kept, formula }: Point): number => kept.value / formula - 1;

async function measure(ctx: Context, recovery: RecoveryId, name: string, percent: number): Promise<Point> {
  const loss = percent / 100;
  const runs: Simulated[] = [];
  for (const seed of seedsOf(ctx.params))
    runs.push(
      await ctx.simulate(scenarioOf(recovery, ctx.params, loss, seed), {
        title: `${name}, ${percent} % loss, seed ${seed}`,
      }),
    );
  const sum = (value: (one: Simulated) => number): number => runs.reduce((all, one) => all + value(one), 0);
  const point: Point = {
    recovery,
    percent,
    kept: meanOf(runs.map(({ result }) => result.goodput_gbps / FULL)),
    formula: shareOf(recovery, ctx.params, loss, runs[0]!.scenario.rtt_us),
    again:
      sum(({ result }) => result.retransmitted) /
      Math.max(
        1,
        sum(({ result }) => result.drops['link loss'] ?? 0),
      ),
  };
  const { value, min, max } = point.kept;
  ctx.row('points', {
    recovery: name,
    loss: percent,
    kept: value * 100,
    formula: point.formula * 100,
    residual: residual(point) * 100,
    again: point.again,
    timeouts: sum(({ result }) => result.timeouts) / runs.length,
  });
  ctx.point('kept', {
    x: percent,
    ...heightOf({ value: value * 100, min: min * 100, max: max * 100, n: 0 }),
    series: recovery,
  });
  ctx.point('kept', { x: percent, y: point.formula * 100, series: `${recovery}-formula` });
  if (point.again > 0) ctx.point('again', { x: percent, y: point.again, series: recovery });
  return point;
}

export async function runLossPolicies(ctx: Context): Promise<void> {
  const settings = RECOVERIES.flatMap(({ id, name }) => LOSSES.map((percent) => ({ id, name, percent })));
  const all: Point[] = [];
  for (const [i, { id, name, percent }] of settings.entries()) {
    ctx.progress(i / settings.length, `${name}, ${percent} %`);
    all.push(await measure(ctx, id, name, percent));
  }
  conclude(ctx, all);
}

function conclude(ctx: Context, all: readonly Point[]): void {
  const at = (recovery: RecoveryId, percent: number): Point =>
    all.find((one) => one.recovery === recovery && one.percent === percent)!;
  const worst = LOSSES.at(-1)!;
  const [n, zero, selective] = RECOVERIES.map(({ id }) => at(id, worst)) as [Point, Point, Point];
  const far = farthest(all.map(residual));
  ctx.figure('n', n.kept.value * 100);
  ctx.figure('zero', zero.kept.value * 100);
  ctx.figure('selective', selective.kept.value * 100);
  ctx.figure('n-some', at('go-back-n', 0.1).kept.value * 100);
  ctx.figure('n-again', n.again);
  ctx.figure('selective-again', selective.again);
  ctx.figure('residual', far * 100);
  ctx.outcome('again', n.again < 2 ? 'one' : n.again < 10 ? 'few' : 'many');

  ctx.check(
    'formula',
    Math.abs(far) <= TOLERANCE,
    `The goodput differs from the formulas by at most ${formatNumber(Math.abs(far) * 100)} % (limit ${formatNumber(TOLERANCE * 100)} %).`,
  );
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
  ctx.answer(
    `At ${worst} % loss, go-back-N kept ${formatNumber(n.kept.value * 100)} % of the goodput, go-back-0 ${formatNumber(zero.kept.value * 100)} %, and selective repeat ${formatNumber(selective.kept.value * 100)} %.`,
  );
}
