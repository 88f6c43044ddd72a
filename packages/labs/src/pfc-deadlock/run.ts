import type { LabContext, Simulated } from '@verbslab/protocol';
import { formatNumber, plural } from '../base/format.js';
import { farthest } from '../fabric/means.js';
import { dropsOf } from '../fabric/samples.js';
import type { PfcDeadlockParams } from './params.js';
import { connections, firstPauseUs, fixedRate, LIMIT, SETTINGS, type SettingId } from './scenarios.js';

type Context = LabContext<PfcDeadlockParams>;

const RATES = [20, 30, 40, 45, 48, 52, 55, 60, 80, 100];
/** Near the limit the queue grows by few packets, and the formula leaves out the way from host to switch. */
const TOLERANCE = 0.2;
/** Gb/s per host below which nothing useful gets through. */
const NOTHING = 5;

interface Rate {
  rate: number;
  made: number;
  stuck: number;
  /** First PAUSE, µs; null if there was none. */
  pause: number | null;
  formula: number | null;
  dropped: number;
}

interface Setting {
  id: SettingId;
  gbps: number;
  run: Simulated;
}

async function measureRate(ctx: Context, rate: number): Promise<Rate> {
  const whole = await ctx.simulate(fixedRate(ctx.params, rate, false), { title: `${rate} Gb/s per host` });
  const first = await ctx.simulate(fixedRate(ctx.params, rate, true), {
    title: `${rate} Gb/s per host, to the first PAUSE`,
  });
  const { made = 0, delivered = 0, dropped = 0 } = whole.result.packets.raw ?? {};
  const one: Rate = {
    rate,
    made,
    stuck: made - delivered - dropped,
    dropped,
    pause: first.result.stopped_by === undefined ? null : first.result.us,
    formula: rate > LIMIT ? firstPauseUs(rate, ctx.params.xoff) : null,
  };
  ctx.row('rates', {
    rate,
    sent: made,
    arrived: delivered,
    stuck: one.stuck,
    pause: one.pause,
    formula: one.formula,
  });
  ctx.point('arrived', { x: rate, y: (delivered / made) * 100, series: 'measured' });
  if (rate <= LIMIT) ctx.point('arrived', { x: rate, y: 100, series: 'expected' });
  if (one.pause !== null) ctx.point('pause', { x: rate, y: one.pause, series: 'measured' });
  if (one.formula !== null) ctx.point('pause', { x: rate, y: one.formula, series: 'formula' });
  return one;
}

async function measureSetting(ctx: Context, id: SettingId, name: string): Promise<Setting> {
  const run = await ctx.simulate(connections(id, ctx.params), { title: name });
  const hosts = run.scenario.hosts;
  const gbps = run.result.goodput_gbps / hosts;
  ctx.row('settings', {
    setting: name,
    gbps,
    pauses: run.result.pauses,
    drops: dropsOf(run.result),
    timeouts: run.result.timeouts,
    paused: run.samples.at(-1)?.paused.length ?? 0,
  });
  for (const { us, received_gbps } of run.samples)
    ctx.point('received', {
      x: us / 1000,
      y: received_gbps.reduce((sum, one) => sum + one, 0) / hosts,
      series: id,
    });
  return { id, gbps, run };
}

export async function runPfcDeadlock(ctx: Context): Promise<void> {
  const total = RATES.length + SETTINGS.length;
  const rates: Rate[] = [];
  for (const [i, rate] of RATES.entries()) {
    ctx.progress(i / total, `${rate} Gb/s per host`);
    rates.push(await measureRate(ctx, rate));
  }
  const settings: Setting[] = [];
  for (const [i, { id, name }] of SETTINGS.entries()) {
    ctx.progress((RATES.length + i) / total, name);
    settings.push(await measureSetting(ctx, id, name));
  }
  conclude(ctx, rates, settings);
}

function conclude(ctx: Context, rates: readonly Rate[], settings: readonly Setting[]): void {
  const of = (id: SettingId): Setting => settings.find((one) => one.id === id)!;
  const last = rates.at(-1)!;
  const from = rates.find(({ stuck }) => stuck > 0)?.rate ?? null;
  const far = farthest(
    rates.flatMap(({ pause, formula }) => (pause !== null && formula !== null ? [pause / formula - 1] : [])),
  );
  const acted = of('drops').run.mechanisms.find(({ name }) => name === 'watchdog')?.fired ?? 0;
  ctx.figure('from', from);
  ctx.figure('limit', LIMIT);
  ctx.figure('stuck', (last.stuck / last.made) * 100);
  for (const { id, gbps } of settings) ctx.figure(id, gbps);
  ctx.figure('acted', acted);
  ctx.figure('residual', far * 100);
  const share = of('drops').gbps / LIMIT;
  ctx.outcome('watchdog', share > 0.8 ? 'all' : share > 0.05 ? 'part' : 'nothing');

  const wrong = rates.filter(({ rate, stuck, dropped }) => stuck > 0 !== rate > LIMIT || dropped > 0);
  ctx.check(
    'limit',
    wrong.length === 0,
    wrong.length === 0
      ? `Of ${plural(rates.length, 'rate')}, exactly those above ${formatNumber(LIMIT)} Gb/s per host left packets stuck.`
      : `The limit fails at ${wrong.map(({ rate }) => rate).join(', ')} Gb/s.`,
  );
  ctx.check(
    'pause',
    Math.abs(far) <= TOLERANCE,
    `The first PAUSE comes within ${formatNumber(Math.abs(far) * 100)} % of the formula (limit ${formatNumber(TOLERANCE * 100)} %).`,
  );
  const ends = of('ring').run.samples.at(-1)!;
  const silent = ends.received_gbps.every((gbps) => gbps === 0);
  ctx.check(
    'stands',
    silent && ends.paused.length > 0,
    `At the end of the ring with PFC, ${plural(ends.paused.length, 'transmitter')} were paused, and hosts received ${silent ? 'nothing' : 'something'}.`,
  );
  ctx.check(
    'tree',
    of('tree').gbps > NOTHING && dropsOf(of('tree').run.result) === 0,
    `Over leaf and spine each host got ${formatNumber(of('tree').gbps)} Gb/s, with ${plural(dropsOf(of('tree').run.result), 'drop')}.`,
  );
  ctx.answer(
    `The ring deadlocked from ${from === null ? 'no rate' : `${from} Gb/s`} per host, and delivered ${formatNumber(of('ring').gbps)} Gb/s from then on. With a watchdog that drops it delivered ${formatNumber(of('drops').gbps)} Gb/s, lossy ${formatNumber(of('lossy').gbps)} Gb/s, over leaf and spine ${formatNumber(of('tree').gbps)} Gb/s.`,
  );
}
