import type { Simulated } from '@verbslab/protocol';
import { formatNumber, plural } from '../base/format.js';
import { powersOfTwo, scaled, statOf, sweep, type Stat } from '../base/sweep.js';
import { farthest } from '../fabric/means.js';
import { seedsOf } from '../fabric/params.js';
import { deepest, dropsOf, highest, average, thinned } from '../fabric/samples.js';
import type { Context } from './params.js';
import { idealUs, queueOf, scenarioOf, SETTINGS, type Setting } from './scenario.js';

/** A simulation of a setting. Times in ms, sizes in KB. */
interface Measured {
  setting: Setting;
  simulated: Simulated;
  /** NaN if no answer arrived. */
  p50: number;
  p99: number;
  peak: number;
  standing: number;
  drops: number;
}

const SWEPT_BYTES = 1_048_576;
/** Samples per point of the chart. */
const PER_POINT = 4;

export async function runFabricIncast(ctx: Context): Promise<void> {
  const seeds = seedsOf(ctx.params);
  const found = await sweep(
    ctx,
    SETTINGS.flatMap((setting) => seeds.map((seed) => ({ setting, seed }))),
    1,
    ({ setting, seed }) => `${setting.label}, seed ${seed}`,
    ({ setting, seed }) => measure(ctx, setting, seed),
  );
  const all = found.flat();
  showSettings(ctx, all);
  showQueues(ctx, all, seeds.length);
  await sweepHosts(ctx);
  await judge(ctx, all);
  conclude(ctx, all);
}

async function measure(ctx: Context, setting: Setting, seed: number): Promise<Measured> {
  const ideal = idealUs(ctx.params);
  const simulated = await ctx.simulate(scenarioOf(ctx.params, setting, seed), {
    title: `${setting.label}, seed ${seed}`,
  });
  const { result, samples } = simulated;
  const late = samples.filter(({ us }) => us >= ideal / 2 && us <= ideal);
  return {
    setting,
    simulated,
    p50: (result.flow_time_us?.p50 ?? NaN) / 1000,
    p99: (result.flow_time_us?.p99 ?? NaN) / 1000,
    peak: result.queue_max_bytes / 1000,
    standing: average(late.map(deepest)) / 1000,
    drops: dropsOf(result),
  };
}

const of = (all: readonly Measured[], name: Setting['name']): Measured[] =>
  all.filter(({ setting }) => setting.name === name);

const stat = (all: readonly Measured[], name: Setting['name'], value: (one: Measured) => number): Stat =>
  statOf(of(all, name).map(value));

function showSettings(ctx: Context, all: readonly Measured[]): void {
  for (const { name, label } of SETTINGS) {
    const median = (value: (one: Measured) => number): number => stat(all, name, value).value;
    ctx.row('settings', {
      setting: label,
      median: median(({ p50 }) => p50),
      p99: median(({ p99 }) => p99),
      peak: median(({ peak }) => peak),
      standing: median(({ standing }) => standing),
      drops: median(({ drops }) => drops),
      again: median(({ simulated }) => simulated.result.retransmitted),
      timeouts: median(({ simulated }) => simulated.result.timeouts),
      pauses: median(({ simulated }) => simulated.result.pauses),
      cnps: median(({ simulated }) => simulated.result.cnps),
    });
  }
}

function showQueues(ctx: Context, all: readonly Measured[], seeds: number): void {
  const first = all.filter((_, i) => i % seeds === 0);
  // What follows the last answer of most settings would squeeze the rest of the chart.
  const until = 2 * idealUs(ctx.params);
  for (const { setting, simulated } of first) {
    const samples = simulated.samples.filter(({ us }) => us <= until);
    const points = samples.map((sample) => ({ x: sample.us / 1000, y: deepest(sample) / 1000 }));
    for (const point of thinned(points, PER_POINT, highest))
      ctx.point('queue', { ...point, series: setting.name });
  }
}

/** The longest queue by the number of hosts, with PFC, and its closed form. */
async function sweepHosts(ctx: Context): Promise<void> {
  const counts = powersOfTwo(ctx.params.hosts, 2);
  const settings = SETTINGS.filter(({ pfc }) => pfc);
  const residuals: number[] = [];
  for (const [i, hosts] of counts.entries()) {
    ctx.signal.throwIfAborted();
    ctx.progress(i / counts.length, `The longest queue of ${hosts} hosts`);
    const params = { ...ctx.params, hosts, bytes: Math.min(SWEPT_BYTES, ctx.params.bytes) };
    const peaks: number[] = [];
    let formula = NaN;
    for (const setting of settings) {
      const { scenario, result } = await ctx.simulate(scenarioOf(params, setting, ctx.params.seed), {
        title: `${setting.label}, ${hosts} hosts`,
      });
      formula = queueOf(params, scenario.rtt_us) / 1000;
      peaks.push(result.queue_max_bytes / 1000);
      ctx.point('by-hosts', { x: hosts, y: result.queue_max_bytes / 1000, series: setting.name });
    }
    ctx.point('by-hosts', { x: hosts, y: formula, series: 'formula' });
    const [peak = NaN, cc = NaN] = peaks;
    const residual = 100 * (peak / formula - 1);
    residuals.push(residual);
    ctx.row('hosts', { hosts, peak, formula, residual, cc });
  }
  ctx.figure('residual', farthest(residuals));
}

async function judge(ctx: Context, all: readonly Measured[]): Promise<void> {
  const lossless = all.filter(({ setting }) => setting.pfc).reduce((sum, { drops }) => sum + drops, 0);
  ctx.check(
    'lossless',
    lossless === 0,
    lossless === 0 ? 'No packet was dropped with PFC.' : `${plural(lossless, 'packet')} dropped with PFC.`,
  );
  const open = all.reduce(
    (sum, { simulated: { result } }) => sum + result.flows_failed + result.flows_unfinished,
    0,
  );
  ctx.check(
    'answered',
    open === 0,
    open === 0 ? 'Every answer arrived in every setting.' : `${plural(open, 'answer')} did not arrive.`,
  );
  const unrepaired = all.filter(({ drops, simulated }) => simulated.result.retransmitted < drops);
  const [drops, again] = [stat(all, 'drop', ({ drops: n }) => n), againOf(all)];
  ctx.check(
    'repaired',
    unrepaired.length === 0,
    `Without PFC and congestion control, ${plural(drops.value, 'packet')} dropped made the hosts send ${formatNumber(again.value)} again.`,
  );
  const first = all[0]!;
  const second = await measure(ctx, first.setting, ctx.params.seed);
  const same = first.simulated.result.trace === second.simulated.result.trace;
  ctx.check(
    'repeatable',
    same,
    same ? 'A second run with the same seed was equal, packet by packet.' : 'A second run differed.',
  );
}

const againOf = (all: readonly Measured[]): Stat =>
  stat(all, 'drop', ({ simulated }) => simulated.result.retransmitted);

function conclude(ctx: Context, all: readonly Measured[]): void {
  const ideal = idealUs(ctx.params) / 1000;
  const set = (name: string, { value, min, max, n }: Stat): void => ctx.figure(name, value, { min, max, n });
  ctx.figure('ideal', ideal);
  for (const { name } of SETTINGS)
    set(
      `slow-${name}`,
      scaled(
        stat(all, name, ({ p99 }) => p99),
        1 / ideal,
      ),
    );
  for (const [suffix, name] of [
    ['', 'pfc'],
    ['-cc', 'pfc-cc'],
  ] as const) {
    set(
      `peak${suffix}`,
      stat(all, name, ({ peak }) => peak),
    );
    set(
      `standing${suffix}`,
      stat(all, name, ({ standing }) => standing),
    );
    set(
      `pauses${suffix}`,
      stat(all, name, ({ simulated }) => simulated.result.pauses),
    );
  }
  set(
    'dropped',
    stat(all, 'drop', ({ drops }) => drops),
  );
  set('again', againOf(all));
  const left = (value: (one: Measured) => number): Stat => {
    const without = of(all, 'pfc').map(value);
    return statOf(of(all, 'pfc-cc').map((one, i) => (100 * value(one)) / without[i]!));
  };
  const [peak, standing] = [left((one) => one.peak), left((one) => one.standing)];
  set('peak-left', peak);
  set('standing-left', standing);
  const slowest = SETTINGS.map(({ name }) => ({ name, p99: stat(all, name, ({ p99 }) => p99).value }));
  const soonest = slowest.reduce((best, one) => (one.p99 < best.p99 ? one : best));
  ctx.outcome('soonest', soonest.name);
  const times = (name: Setting['name']): string =>
    formatNumber(stat(all, name, ({ p99 }) => p99).value / ideal);
  ctx.answer(
    `Congestion control left ${formatNumber(peak.value)} % of the longest queue and ${formatNumber(standing.value)} % of the standing one. The slowest answers took ${times('pfc-cc')}× the time of the link, ${times('pfc')}× with PFC alone, and ${times('drop')}× with drops.`,
  );
}
