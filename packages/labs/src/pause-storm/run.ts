import type { Simulated } from '@verbslab/protocol';
import { formatNumber, plural } from '../base/format.js';
import { statOf, sweep, type Stat } from '../base/sweep.js';
import { farthest } from '../fabric/means.js';
import { seedsOf } from '../fabric/params.js';
import { dropsOf, average } from '../fabric/samples.js';
import type { Context } from './params.js';
import {
  GBPS,
  hostsOf,
  LATER_MS,
  pausesPerSecond,
  RATES,
  SETTINGS,
  slowScenario,
  SLOW_US,
  STOP_MS,
  stormScenario,
  type Setting,
} from './scenario.js';

/** Part of the goodput below which the fabric stands, and above which it is back. */
const STANDS = 0.05;
const BACK = 0.5;
const TOLERANCE = 0.15;

export async function runPauseStorm(ctx: Context): Promise<void> {
  const residuals = await slowDown(ctx);
  const settings = (Object.keys(SETTINGS) as Setting[]).flatMap((setting) =>
    seedsOf(ctx.params).map((seed) => ({ setting, seed })),
  );
  const found = await sweep(
    ctx,
    settings,
    1,
    ({ setting, seed }) => `${SETTINGS[setting]}, seed ${seed}`,
    ({ setting, seed }) => storm(ctx, setting, seed),
  );
  const all = found.flat();
  for (const setting of Object.keys(SETTINGS) as Setting[]) showStorm(ctx, setting, of(all, setting));
  judge(ctx, all, residuals);
  conclude(ctx, all);
}

/** A slow receiver at each rate. Returns the residuals, %. */
async function slowDown(ctx: Context): Promise<number[]> {
  const rates = [...new Set([...RATES, ctx.params.slow])].sort((a, b) => a - b);
  const residuals: number[] = [];
  for (const rate of rates) {
    ctx.signal.throwIfAborted();
    const { result } = await ctx.simulate(slowScenario(ctx.params, rate), {
      title: `A receiver of ${rate} Gb/s`,
    });
    const seconds = result.us / 1e6;
    const pauses = result.pauses / seconds;
    const formula = pausesPerSecond(rate, ctx.params);
    // The switch sends no PAUSE, so all paused time is that of its port to the receiver.
    const paused = (100 * result.paused_us) / SLOW_US;
    const residual = 100 * (pauses / formula - 1);
    residuals.push(residual);
    ctx.row('slow', {
      rate,
      paused,
      pausedFormula: 100 * (1 - rate / GBPS),
      pauses,
      formula,
      residual,
      gbps: result.goodput_gbps,
    });
    ctx.point('frames', { x: rate, y: pauses, series: 'simulated' });
    ctx.point('frames', { x: rate, y: formula, series: 'formula' });
    if (rate !== ctx.params.slow) continue;
    ctx.figure('paused', paused);
    ctx.figure('paused-formula', 100 * (1 - rate / GBPS));
    ctx.figure('pauses', pauses);
    ctx.figure('formula', formula);
  }
  ctx.figure('residual', farthest(residuals));
  return residuals;
}

/** A storm. Times in ms after the stop, goodput of all hosts but the one that stops. */
interface Storm {
  setting: Setting;
  simulated: Simulated;
  /** Gb/s. */
  before: number;
  left: number;
  stands: number | null;
  back: number | null;
  /** Transmitters that are paused at the end. */
  paused: number;
  actions: number;
}

const others = ({ received_gbps }: { received_gbps: readonly number[] }): number =>
  received_gbps.slice(1).reduce((sum, one) => sum + one, 0);

async function storm(ctx: Context, setting: Setting, seed: number): Promise<Storm> {
  const simulated = await ctx.simulate(stormScenario(ctx.params, setting, seed), {
    title: `${SETTINGS[setting]}, seed ${seed}`,
  });
  const rates = simulated.samples.map((sample) => ({ ms: sample.us / 1000 - STOP_MS, gbps: others(sample) }));
  const mean = (from: number, to: number): number =>
    average(rates.filter(({ ms }) => ms > from && ms <= to).map(({ gbps }) => gbps));
  const before = mean(-STOP_MS / 2, 0);
  const stands = rates.find(({ ms, gbps }) => ms > 0 && gbps < STANDS * before)?.ms ?? null;
  const back =
    stands === null ? null : (rates.find(({ ms, gbps }) => ms > stands && gbps >= BACK * before)?.ms ?? null);
  return {
    setting,
    simulated,
    before,
    left: mean(LATER_MS, Infinity),
    stands,
    back,
    paused: simulated.samples.at(-1)?.paused.length ?? 0,
    actions: simulated.mechanisms.find(({ name }) => name === 'watchdog')?.fired ?? 0,
  };
}

const of = (all: readonly Storm[], setting: Setting): Storm[] => all.filter((one) => one.setting === setting);
const stat = (own: readonly Storm[], value: (one: Storm) => number): Stat => statOf(own.map(value));
const part = ({ left, before }: Storm): number => (100 * left) / before;

/** The median of the seeds that have the value; null if none has. */
function medianOf(values: readonly (number | null)[]): number | null {
  const some = values.filter((one) => one !== null);
  return some.length === 0 ? null : statOf(some).value;
}

function showStorm(ctx: Context, setting: Setting, own: readonly Storm[]): void {
  ctx.row('storm', {
    setting: SETTINGS[setting],
    before: stat(own, ({ before }) => before).value,
    left: stat(own, part).value,
    stands: medianOf(own.map(({ stands }) => stands)),
    back: medianOf(own.map(({ back }) => back)),
    paused: stat(own, ({ paused }) => paused).value,
    drops: stat(own, ({ simulated }) => dropsOf(simulated.result)).value,
  });
  for (const sample of own[0]!.simulated.samples) {
    const x = sample.us / 1000 - STOP_MS;
    ctx.point('goodput', { x, y: others(sample), series: setting });
    ctx.point('paused-ports', { x, y: sample.paused.length, series: setting });
  }
}

function judge(ctx: Context, all: readonly Storm[], residuals: readonly number[]): void {
  const off = residuals.filter((one) => Math.abs(one) > 100 * TOLERANCE);
  ctx.check(
    'cycle',
    off.length === 0,
    `At ${residuals.length - off.length} of ${plural(residuals.length, 'rate')} the PAUSE frames per second are within ${100 * TOLERANCE} % of the formula.`,
  );
  const without = all.filter(({ setting }) => setting !== 'watchdog');
  const drops = without.reduce((sum, { simulated }) => sum + dropsOf(simulated.result), 0);
  ctx.check('lossless', drops === 0, `${plural(drops, 'packet')} dropped without the watchdog.`);
  const dog = of(all, 'watchdog');
  const acted = dog.filter(({ actions }) => actions > 0);
  ctx.check(
    'watchdog',
    acted.length === dog.length,
    `The watchdog acted in ${acted.length} of ${plural(dog.length, 'simulation')}, and dropped ${plural(stat(dog, ({ simulated }) => dropsOf(simulated.result)).value, 'packet')}.`,
  );
}

function conclude(ctx: Context, all: readonly Storm[]): void {
  const set = (name: string, { value, min, max, n }: Stat): void => ctx.figure(name, value, { min, max, n });
  for (const setting of Object.keys(SETTINGS) as Setting[])
    set(`left-${setting}`, stat(of(all, setting), part));
  const [pfc, dog] = [of(all, 'pfc'), of(all, 'watchdog')];
  ctx.figure('hosts', hostsOf(ctx.params));
  ctx.figure('stands', medianOf(pfc.map(({ stands }) => stands)));
  set(
    'ports',
    stat(pfc, ({ paused }) => paused),
  );
  ctx.figure('back', medianOf(dog.map(({ back }) => back)));
  set(
    'dropped',
    stat(dog, ({ simulated }) => dropsOf(simulated.result)),
  );
  const dcqcn = stat(of(all, 'dcqcn'), part).value;
  ctx.outcome('dcqcn', dcqcn < 100 * STANDS ? 'none' : dcqcn < 100 * BACK ? 'some' : 'most');
  const left = (setting: Setting): string => formatNumber(stat(of(all, setting), part).value);
  ctx.answer(
    `One host that stopped reading left ${left('pfc')} % of the goodput of all others, with DCQCN ${left('dcqcn')} %, and with a watchdog ${left('watchdog')} %.`,
  );
}
