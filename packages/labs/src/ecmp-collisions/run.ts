import type { LabContext, Scenario, Simulated } from '@verbslab/protocol';
import { formatNumber, plural } from '../base/format.js';
import { powersOf, powersOfTwo, type Stat } from '../base/sweep.js';
import { farthest, meanOf } from '../fabric/means.js';
import { seedsOf } from '../fabric/params.js';
import { heightOf } from '../form/common-results.js';
import type { EcmpParams } from './params.js';
import {
  idealUs,
  oneTier,
  oneTierFormula,
  PAIRS,
  twoTiers,
  twoTiersFormula,
  usedFormula,
  usedOf,
} from './scenarios.js';

type Context = LabContext<EcmpParams>;

/** Times of single seeds lie about this part around their mean. */
const SPREAD = 0.25;
/** With one seed, four of sixteen paths carry all: no pair is faster than a fourth of the ideal rate, start and end apart. */
const POLARIZED = 0.95 * 4;

interface Point {
  qps: number;
  time: Stat;
  formula: number;
  /** Share of the uplinks in use, per seed; only with one QP per pair. */
  used: number[];
  unfinished: number;
}

interface Fabric {
  name: string;
  scenario: (qps: number, seed: number) => Scenario;
  formula: (qps: number) => number;
  curve: 'one' | 'two';
  series: readonly [string, string];
}

function fabricsOf({ uplinks, bytes }: EcmpParams): Fabric[] {
  const two = (same: boolean): Fabric => ({
    name: same ? 'Two tiers, one seed' : 'Two tiers, own seeds',
    scenario: (qps, seed) => twoTiers(same, { qps, bytes, seed }),
    formula: (qps) => twoTiersFormula(same, qps),
    curve: 'two',
    series: same ? ['same', 'same-formula'] : ['own', 'own-formula'],
  });
  return [
    {
      name: 'One tier',
      scenario: (qps, seed) => oneTier(uplinks, { qps, bytes, seed }),
      formula: (qps) => oneTierFormula(uplinks, qps),
      curve: 'one',
      series: ['measured', 'formula'],
    },
    two(true),
    two(false),
  ];
}

/** 1, 2, 4, … up to the most, and over two tiers every second of them. */
const qpsOf = ({ qps }: EcmpParams, curve: Fabric['curve']): number[] =>
  curve === 'one' ? powersOfTwo(Number(qps)) : powersOf(4, Number(qps));

const slowest = ({ flows }: Simulated): number => Math.max(...flows.map(({ time_us = Infinity }) => time_us));
const residual = ({ time, formula }: Point): number => (time.value / formula - 1) * 100;

async function measure(
  ctx: Context,
  { name, scenario, formula, curve, series }: Fabric,
  step: (title: string) => void,
): Promise<Point[]> {
  const { uplinks, bytes } = ctx.params;
  const points: Point[] = [];
  for (const qps of qpsOf(ctx.params, curve)) {
    const runs: Simulated[] = [];
    for (const seed of seedsOf(ctx.params)) {
      const title = `${name}, ${plural(qps, 'QP')} per pair, seed ${seed}`;
      step(title);
      runs.push(await ctx.simulate(scenario(qps, seed), { title }));
    }
    const time = meanOf(runs.map((run) => slowest(run) / idealUs(bytes)));
    const point: Point = {
      qps,
      time,
      formula: formula(qps),
      used: qps === 1 ? runs.map((run) => usedOf(run, uplinks)) : [],
      unfinished: runs.reduce(
        (sum, { result }) => sum + result.flows_unfinished + result.flows_failed + result.retransmitted,
        0,
      ),
    };
    ctx.row('qps', {
      fabric: name,
      qps,
      time: time.value,
      min: time.min,
      max: time.max,
      formula: point.formula,
      residual: residual(point),
    });
    ctx.point(curve, { x: qps, ...heightOf(time), series: series[0] });
    ctx.point(curve, { x: qps, y: point.formula, series: series[1] });
    points.push(point);
  }
  return points;
}

export async function runEcmp(ctx: Context): Promise<void> {
  const { uplinks, seeds } = ctx.params;
  const fabrics = fabricsOf(ctx.params);
  const total = fabrics.reduce((sum, { curve }) => sum + qpsOf(ctx.params, curve).length * seeds, 0);
  let done = 0;
  const all: Point[][] = [];
  for (const fabric of fabrics)
    all.push(await measure(ctx, fabric, (title) => ctx.progress(done++ / total, title)));
  conclude(ctx, all, uplinks);
}

function conclude(ctx: Context, all: readonly Point[][], uplinks: number): void {
  const [one, same, own] = all as [Point[], Point[], Point[]];
  const used = meanOf(one[0]!.used);
  const [first, last] = [one[0]!, one.at(-1)!];
  const [lastSame, lastOwn] = [same.at(-1)!, own.at(-1)!];
  const expected = usedFormula(uplinks);
  const far = farthest(one.map(residual));
  const percent = ({ value, min, max, n }: Stat) =>
    [value * 100, { min: min * 100, max: max * 100, n }] as const;
  ctx.figure('used', ...percent(used));
  ctx.figure('used-formula', expected * 100);
  ctx.figure('slow-one', first.time.value, first.time);
  ctx.figure('slow-many', last.time.value, last.time);
  ctx.figure('residual', far);
  ctx.figure('own-many', lastOwn.time.value, lastOwn.time);
  ctx.figure('same-many', lastSame.time.value, lastSame.time);
  ctx.outcome(
    'polarized',
    lastSame.time.value > 2 * lastOwn.time.value
      ? 'no'
      : lastSame.time.value > 1.2 * lastOwn.time.value
        ? 'half'
        : 'yes',
  );

  const wrong = all.flat().reduce((sum, { unfinished }) => sum + unfinished, 0);
  ctx.check(
    'whole',
    wrong === 0,
    wrong === 0
      ? `All flows of ${all.flat().length} settings finished, and no packet was sent again.`
      : `${wrong} flows did not finish, or packets were sent again.`,
  );
  // The mean of n seeds, of M paths that each are in use with probability u, seldom is farther off than this.
  const spread = (3 * Math.sqrt((expected * (1 - expected)) / uplinks)) / Math.sqrt(used.n);
  ctx.check(
    'used',
    Math.abs(used.value - expected) <= spread,
    `${formatNumber(used.value * 100)} % of the uplinks were in use, by the formula ${formatNumber(expected * 100)} %. With ${plural(used.n, 'seed')} they may differ by ${formatNumber(spread * 100)} points.`,
  );
  const loose = (3 * SPREAD) / Math.sqrt(used.n);
  ctx.check(
    'formula',
    Math.abs(far) <= loose * 100,
    `In one tier, the simulated times differ from the formula by at most ${formatNumber(Math.abs(far))} % (limit ${formatNumber(loose * 100)} %).`,
  );
  const least = Math.min(...same.map(({ time }) => time.min));
  ctx.check(
    'polarized',
    least >= POLARIZED,
    `With one seed for all switches, ${PAIRS} pairs took at least ${formatNumber(least)} times the ideal, however many QPs they had.`,
  );
  ctx.answer(
    `${uplinks} pairs used ${formatNumber(used.value * 100)} % of ${uplinks} uplinks, and the slowest took ${formatNumber(first.time.value)} times the ideal. With ${plural(last.qps, 'QP')} per pair it took ${formatNumber(last.time.value)} times. Over two tiers with one seed it stayed at ${formatNumber(lastSame.time.value)}.`,
  );
}
