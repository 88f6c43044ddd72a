import type { Simulated } from '@verbslab/protocol';
import { heightOf } from '../form/common-results.js';
import { formatNumber, plural } from '../base/format.js';
import { scaled, statOf, sweep, type Stat } from '../base/sweep.js';
import { farthest } from '../fabric/means.js';
import { seedsOf } from '../fabric/params.js';
import { deepest, dropsOf } from '../fabric/samples.js';
import type { Context } from './params.js';
import { ALPHAS, alphaText, ASKED, growthOf, pausedAt, scenarioOf, type Way } from './scenario.js';

const WAYS: Record<Way, string> = {
  first: 'to the first PAUSE',
  control: 'with control',
  none: 'without',
};
/** Part of the formula by which a port may pause sooner: the ports do not fill alike. */
const TOLERANCE = 0.2;

/** The simulations of an alpha, one of each way per seed. */
interface Measured {
  alpha: number;
  seed: number;
  ways: Record<Way, Simulated>;
}

/** What acts first, in words of the table. */
type First = 'pfc' | 'both' | 'ecn' | 'neither';
const FIRST: Record<First, string> = {
  pfc: 'PFC',
  both: 'ECN, and then PFC',
  ecn: 'ECN alone',
  neither: 'Neither',
};

export async function runEcnOrPfc(ctx: Context): Promise<void> {
  const settings = ALPHAS.flatMap((alpha) => seedsOf(ctx.params).map((seed) => ({ alpha, seed })));
  const found = await sweep(
    ctx,
    settings,
    1,
    ({ alpha, seed }) => `alpha ${alphaText(alpha)}, seed ${seed}`,
    async ({ alpha, seed }): Promise<Measured> => {
      const run = (way: Way): Promise<Simulated> =>
        ctx.simulate(scenarioOf(ctx.params, alpha, way, seed), {
          title: `Alpha ${alphaText(alpha)}, ${WAYS[way]}, seed ${seed}`,
        });
      return {
        alpha,
        seed,
        ways: { first: await run('first'), control: await run('control'), none: await run('none') },
      };
    },
  );
  const all = found.flat();
  const residuals = ALPHAS.flatMap((alpha) => show(ctx, alpha, of(all, alpha)));
  showTime(ctx, of(all, ASKED)[0]!);
  ctx.figure('residual', residuals.length === 0 ? null : farthest(residuals));
  judge(ctx, all, residuals);
  conclude(ctx, all);
}

const of = (all: readonly Measured[], alpha: number): Measured[] => all.filter((one) => one.alpha === alpha);

const stat = (own: readonly Measured[], way: Way, value: (one: Simulated) => number): Stat =>
  statOf(own.map(({ ways }) => value(ways[way])));

const paused = ({ result }: Simulated): boolean => result.pauses > 0;

/** Over all seeds: ECN is first only if every seed has a mark before its first PAUSE. */
function firstOf(own: readonly Measured[]): First {
  const marked = own.every(({ ways }) => ways.first.result.marked > 0);
  if (own.some(({ ways }) => paused(ways.control))) return marked ? 'both' : 'pfc';
  return marked ? 'ecn' : 'neither';
}

/** Returns the residuals of the seeds that had a PAUSE, %. */
function show(ctx: Context, alpha: number, own: readonly Measured[]): number[] {
  const formula = pausedAt(ctx.params, alpha);
  const stopped = own.filter(({ ways }) => ways.first.result.stopped_by !== undefined);
  const queue = stat(stopped, 'first', ({ result }) => result.queue_max_bytes / 1000);
  const median = (value: (one: Simulated) => number): number | null =>
    stopped.length === 0 ? null : stat(stopped, 'first', value).value;
  const [control, none] = [
    stat(own, 'control', ({ result }) => result.pauses),
    stat(own, 'none', ({ result }) => result.pauses),
  ];
  ctx.row('alphas', {
    alpha: alphaText(alpha),
    first: FIRST[firstOf(own)],
    at: median(({ result }) => result.us),
    queue: stopped.length === 0 ? null : queue.value,
    formula,
    marks: median(({ result }) => result.marked),
    cnps: median(({ result }) => result.cnps),
    pauses: control.value,
    none: none.value,
  });
  ctx.point('first-pause', { x: alpha, y: formula, series: 'formula' });
  ctx.point('first-pause', { x: alpha, y: ctx.params.kmin, series: 'kmin' });
  if (stopped.length > 0) ctx.point('first-pause', { x: alpha, ...heightOf(queue), series: 'simulated' });
  ctx.point('frames', { x: alpha, ...heightOf(control), series: 'control' });
  ctx.point('frames', { x: alpha, ...heightOf(none), series: 'none' });
  return stopped.map(({ ways }) => 100 * (ways.first.result.queue_max_bytes / 1000 / formula - 1));
}

function showTime(ctx: Context, { ways }: Measured): void {
  for (const way of ['control', 'none'] as const) {
    for (const sample of ways[way].samples)
      ctx.point('queue', { x: sample.us, y: deepest(sample) / 1000, series: way });
  }
}

function judge(ctx: Context, all: readonly Measured[], residuals: readonly number[]): void {
  const every = all.flatMap(({ ways }) => Object.values(ways));
  const drops = every.reduce((sum, { result }) => sum + dropsOf(result), 0);
  ctx.check('lossless', drops === 0, `${plural(drops, 'packet')} dropped.`);
  const off = residuals.filter((one) => Math.abs(one) > 100 * TOLERANCE);
  if (residuals.length === 0) ctx.doesNotApply('formula', 'No PAUSE was sent at any alpha.');
  else
    ctx.check(
      'formula',
      off.length === 0,
      `${residuals.length - off.length} of ${plural(residuals.length, 'first PAUSE', 'first PAUSEs')} came at a queue within ${100 * TOLERANCE} % of the formula.`,
    );
  const quiet = all.filter(({ ways }) => !paused(ways.none));
  const above = quiet.filter(
    ({ alpha, ways }) => ways.none.result.queue_max_bytes / 1000 > pausedAt(ctx.params, alpha),
  );
  if (quiet.length === 0) ctx.doesNotApply('below', 'PAUSE frames were sent at every alpha.');
  else
    ctx.check(
      'below',
      above.length === 0,
      above.length === 0
        ? 'Without PAUSE frames the queue stayed below the formula.'
        : `In ${plural(above.length, 'simulation')} the queue was longer than the formula, and no PAUSE was sent.`,
    );
}

function conclude(ctx: Context, all: readonly Measured[]): void {
  const own = of(all, ASKED);
  const set = (name: string, { value, min, max, n }: Stat): void =>
    ctx.figure(name, Number.isFinite(value) ? value : null, Number.isFinite(value) ? { min, max, n } : {});
  const [control, none] = [
    stat(own, 'control', ({ result }) => result.pauses),
    stat(own, 'none', ({ result }) => result.pauses),
  ];
  set('pauses', control);
  set('pauses-none', none);
  const both = own.filter(({ ways }) => paused(ways.none));
  const left = statOf(both.map(({ ways }) => ways.control.result.pauses / ways.none.result.pauses));
  set('left', scaled(left, 100));
  const stopped = own.filter(({ ways }) => ways.first.result.stopped_by !== undefined);
  set(
    'marks-first',
    stat(stopped, 'first', ({ result }) => result.marked),
  );
  set(
    'cnps-first',
    stat(stopped, 'first', ({ result }) => result.cnps),
  );
  set(
    'paused-at',
    stat(stopped, 'first', ({ result }) => result.queue_max_bytes / 1000),
  );
  ctx.figure('formula', pausedAt(ctx.params, ASKED));
  ctx.figure('growth', growthOf(ctx.params, own[0]!.ways.first.scenario.rtt_us));
  const free = (way: Way): number | null =>
    ALPHAS.find((alpha) => of(all, alpha).every(({ ways }) => !paused(ways[way]))) ?? null;
  const [without, withControl] = [free('none'), free('control')];
  ctx.figure('free', withControl);
  ctx.figure('free-none', without);
  const first = firstOf(own);
  ctx.outcome('first', first);
  const from = (alpha: number | null): string =>
    alpha === null ? 'at every alpha' : `only below alpha ${alphaText(alpha)}`;
  ctx.answer(
    `At alpha 1/16: ${FIRST[first]}, with ${formatNumber(control.value)} PAUSE frames, and ${formatNumber(none.value)} without congestion control. PAUSE frames were sent ${from(withControl)} with control, and ${from(without)} without.`,
  );
}
