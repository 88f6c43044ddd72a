import { formatNumber, plural } from '../base/format.js';
import { scaled, statOf, sweep, type Stat } from '../base/sweep.js';
import { payloadRate } from '../fabric/link.js';
import { seedsOf } from '../fabric/params.js';
import { average, thinned } from '../fabric/samples.js';
import { measure, type Measured } from './measure.js';
import { FLOWS, type Context } from './params.js';
import { GBPS, PRESETS, type Preset, type Rates } from './scenario.js';

export async function runDcqcnFairness(ctx: Context): Promise<void> {
  const seeds = seedsOf(ctx.params);
  const settings = PRESETS.flatMap((preset) => seeds.map((seed) => ({ preset, seed })));
  const found = await sweep(
    ctx,
    settings,
    1,
    ({ preset, seed }) => `${preset.label}, seed ${seed}`,
    ({ preset, seed }) => measure(ctx, preset, seed),
  );
  const all = found.flat();
  for (const [i, one] of all.entries()) if (i % seeds.length === 0) showRates(ctx, one);
  for (const preset of PRESETS) show(ctx, preset, of(all, preset.name));
  judge(ctx, all);
  conclude(ctx, all);
}

/** Gb/s that a flow gains per ms by additive steps alone, without headers. */
export const stepsOf = ({ step, period }: Pick<Preset, 'step' | 'period'>): number =>
  (payloadRate(1) * step) / period;

const MOST_POINTS = 240;

function showRates(ctx: Context, { preset, over }: Measured): void {
  const { join } = ctx.params;
  const each = Math.ceil(over.length / MOST_POINTS);
  const draw = (curve: string, series: string, from: number, value: (one: Rates) => number): void => {
    const points = over.map((one) => ({ x: one.ms, y: value(one) }));
    for (const point of thinned(points, each, average))
      if (point.x > from) ctx.point(curve, { ...point, series });
  };
  for (let flow = 0; flow < FLOWS; flow++)
    draw(`rates-${preset.name}`, `flow-${flow + 1}`, flow * join, ({ rates }) => rates[flow]!);
  draw('jain', preset.name, join, ({ jain }) => jain ?? 0);
}

const of = (all: readonly Measured[], name: Preset['name']): Measured[] =>
  all.filter(({ preset }) => preset.name === name);

/** The median over the seeds; null if not every seed has the value. */
function medianOf(values: readonly (number | null)[]): Stat | null {
  const some = values.filter((one) => one !== null);
  return some.length === values.length ? statOf(some) : null;
}

function set(ctx: Context, name: string, stat: Stat | null): void {
  ctx.figure(name, stat?.value ?? null, stat ? { min: stat.min, max: stat.max, n: stat.n } : {});
}

function show(ctx: Context, preset: Preset, own: readonly Measured[]): void {
  const stat = (value: (one: Measured) => number): Stat => statOf(own.map(value));
  const [jain, use, newcomer] = [
    stat((one) => one.jain),
    stat((one) => 100 * one.use),
    stat((one) => 100 * one.newcomer),
  ];
  const [fair, full, second, rise] = [
    medianOf(own.map((one) => one.fair)),
    medianOf(own.map((one) => one.full)),
    medianOf(own.map((one) => one.fairSecond)),
    medianOf(own.map((one) => one.rise)),
  ];
  set(ctx, `jain-${preset.name}`, jain);
  set(ctx, `use-${preset.name}`, use);
  set(ctx, `newcomer-${preset.name}`, newcomer);
  if (preset.name === 'paper') {
    set(ctx, 'fair-paper', fair);
    set(ctx, 'fair-second', second);
    set(ctx, 'full-paper', full);
  }
  if (preset.name === 'ns3') {
    set(ctx, 'rise', rise && scaled(rise, 10));
    ctx.figure('rise-formula', 10 * stepsOf(preset));
    ctx.figure('residual', rise && 100 * (rise.value / stepsOf(preset) - 1));
    ctx.figure('regain', (50_000 / preset.step) * (preset.period / 1000));
  }
  ctx.row('presets', {
    preset: preset.label,
    second: second?.value ?? null,
    fair: fair?.value ?? null,
    full: full?.value ?? null,
    newcomer: newcomer.value,
    jain: jain.value,
    use: use.value,
    rise: rise && 10 * rise.value,
    steps: 10 * stepsOf(preset),
    cnps: stat(({ cnps }) => cnps).value,
  });
}

function judge(ctx: Context, all: readonly Measured[]): void {
  const drops = all.reduce((sum, one) => sum + one.drops, 0);
  ctx.check('lossless', drops === 0, `${plural(drops, 'packet')} dropped.`);
  const silent = all.some(({ cnps }) => cnps === 0);
  ctx.check(
    'notified',
    !silent,
    silent
      ? 'In a run no CNP was sent, so DCQCN did nothing: lower Kmin.'
      : `The runs had ${formatNumber(Math.min(...all.map(({ cnps }) => cnps)))} CNPs or more.`,
  );
  const [most, line] = [Math.max(...all.map((one) => one.most)), payloadRate(GBPS)];
  ctx.check(
    'line',
    most <= line * 1.01,
    `All flows together had at most ${formatNumber(most)} of the ${formatNumber(line)} Gb/s of payload that the link carries.`,
  );
}

function conclude(ctx: Context, all: readonly Measured[]): void {
  const third = 1 / FLOWS;
  const part = (name: Preset['name']): number => statOf(of(all, name).map(({ newcomer }) => newcomer)).value;
  const nic = part('nic');
  ctx.outcome('newcomer', nic < third / 1.5 ? 'less' : nic <= third * 1.5 ? 'fair' : 'more');
  const fair = medianOf(of(all, 'paper').map((one) => one.fair));
  const per = (name: Preset['name']): string => formatNumber(100 * part(name));
  ctx.answer(
    `With the paper’s constants the last of ${FLOWS} flows shared fairly ${fair ? `after ${formatNumber(fair.value)} ms` : 'not within the run'}. It got ${per('paper')} % of the goodput, with the constants of NICs ${per('nic')} %, with those of HPCC’s ns-3 ${per('ns3')} %.`,
  );
}
