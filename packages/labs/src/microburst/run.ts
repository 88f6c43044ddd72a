import type { Simulated } from '@verbslab/protocol';
import { formatNumber, plural } from '../base/format.js';
import { powersOfTwo } from '../base/sweep.js';
import { payloadRate } from '../fabric/link.js';
import { farthest } from '../fabric/means.js';
import { deepest, dropsOf, average } from '../fabric/samples.js';
import type { Context } from './params.js';
import { burstUs, GBPS, queueOf, SAMPLE_US, scenarioOf, SETTINGS, useOf, type Setting } from './scenario.js';

/** Over which the use of the link is averaged, in samples. */
const AVERAGED = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
const TOLERANCE = 0.1;

export async function runMicroburst(ctx: Context): Promise<void> {
  const { hosts } = ctx.params;
  const ran = {} as Record<Setting, Simulated>;
  const names = Object.keys(SETTINGS) as Setting[];
  for (const [i, setting] of names.entries()) {
    ctx.signal.throwIfAborted();
    ctx.progress(i / (names.length + 1), SETTINGS[setting]);
    ran[setting] = await ctx.simulate(scenarioOf(ctx.params, setting, hosts), { title: SETTINGS[setting] });
    showSetting(ctx, setting, ran[setting]);
  }
  showQueue(ctx, ran.large);
  const averaged = showUse(ctx, ran.large);
  const residuals = await sweepHosts(ctx, ran.large);
  judge(ctx, ran, residuals);
  conclude(ctx, ran, averaged, residuals);
}

function showSetting(ctx: Context, setting: Setting, { result, samples }: Simulated): void {
  ctx.row('settings', {
    setting: SETTINGS[setting],
    load: 100 * loadOf(ctx, samples),
    median: result.flow_time_us?.p50 ?? null,
    p99: result.flow_time_us?.p99 ?? null,
    peak: result.queue_max_bytes / 1000,
    drops: dropsOf(result),
    timeouts: result.timeouts,
    pauses: result.pauses,
    unfinished: result.flows_unfinished + result.flows_failed,
  });
}

/** Goodput of the receiver in each sample, as a part of what its link carries. */
const usesOf = (ctx: Context, samples: Simulated['samples']): number[] =>
  samples.map(({ received_gbps }) => (received_gbps[ctx.params.hosts] ?? 0) / payloadRate(GBPS));

const loadOf = (ctx: Context, samples: Simulated['samples']): number => average(usesOf(ctx, samples));

function showQueue(ctx: Context, { samples }: Simulated): void {
  // A single burst, from shortly before.
  const { hosts, period } = ctx.params;
  const [from, to] = [period - 5 * SAMPLE_US, period + 2 * burstUs(ctx.params, hosts)];
  for (const sample of samples)
    if (sample.us >= from && sample.us <= to)
      ctx.point('queue', { x: sample.us - period, y: deepest(sample) / 1000 });
}

/** The highest use of the link by the length of the average, %. */
function showUse(ctx: Context, { samples }: Simulated): Map<number, number> {
  const uses = usesOf(ctx, samples);
  const found = new Map<number, number>();
  for (const each of AVERAGED) {
    if (each > uses.length) break;
    const us = each * SAMPLE_US;
    const means = Array.from({ length: Math.floor(uses.length / each) }, (_, i) =>
      average(uses.slice(i * each, (i + 1) * each)),
    );
    const highest = 100 * Math.max(...means);
    found.set(us, highest);
    const formula = 100 * useOf(ctx.params, ctx.params.hosts, us);
    ctx.point('use', { x: us, y: highest, series: 'simulated' });
    ctx.point('use', { x: us, y: formula, series: 'formula' });
  }
  return found;
}

/** The longest queue by the number of hosts. Returns the residuals, %. */
async function sweepHosts(ctx: Context, whole: Simulated): Promise<number[]> {
  const residuals: number[] = [];
  for (const hosts of powersOfTwo(ctx.params.hosts, 2)) {
    ctx.signal.throwIfAborted();
    const { result } =
      hosts === ctx.params.hosts
        ? whole
        : await ctx.simulate(scenarioOf(ctx.params, 'large', hosts), { title: `${hosts} hosts` });
    const [peak, formula] = [result.queue_max_bytes / 1000, queueOf(ctx.params, hosts) / 1000];
    const residual = 100 * (peak / formula - 1);
    residuals.push(residual);
    const load = 100 * useOf(ctx.params, hosts, ctx.params.period);
    ctx.row('hosts', { hosts, load, peak, formula, residual, drain: burstUs(ctx.params, hosts) });
    ctx.point('by-hosts', { x: hosts, y: peak, series: 'simulated' });
    ctx.point('by-hosts', { x: hosts, y: formula, series: 'formula' });
  }
  return residuals;
}

function judge(ctx: Context, ran: Record<Setting, Simulated>, residuals: readonly number[]): void {
  const own = residuals.at(-1)!;
  ctx.check(
    'peak',
    Math.abs(own) <= 100 * TOLERANCE,
    `With ${ctx.params.hosts} hosts the longest queue is ${formatNumber(own)} % away from (N − 1) × answer.`,
  );
  const drops = dropsOf(ran.large.result) + dropsOf(ran.pfc.result);
  ctx.check('lossless', drops === 0, `${plural(drops, 'packet')} dropped with the large buffer or PFC.`);
  const { flows_failed: failed, flows_unfinished: open } = ran.large.result;
  ctx.check(
    'arrived',
    failed + open === 0,
    `${plural(failed + open, 'answer')} did not arrive with the large buffer.`,
  );
}

function conclude(
  ctx: Context,
  ran: Record<Setting, Simulated>,
  averaged: ReadonlyMap<number, number>,
  residuals: readonly number[],
): void {
  const { hosts, period } = ctx.params;
  const { large, small } = ran;
  const load = 100 * loadOf(ctx, large.samples);
  const p99 = (setting: Setting): number | null => ran[setting].result.flow_time_us?.p99 ?? null;
  const empty = large.samples.filter((sample) => deepest(sample) === 0).length / large.samples.length;
  const peak = large.result.queue_max_bytes / 1000;
  ctx.figure('load', load);
  ctx.figure('use-10us', averaged.get(SAMPLE_US) ?? null);
  ctx.figure('use-1ms', averaged.get(1000) ?? null);
  ctx.figure('empty', 100 * empty);
  ctx.figure('peak', peak);
  ctx.figure('formula', queueOf(ctx.params, hosts) / 1000);
  ctx.figure('residual', farthest(residuals));
  ctx.figure('burst', burstUs(ctx.params, hosts));
  ctx.figure('p99', p99('large'));
  ctx.figure('p99-small', (p99('small') ?? NaN) / 1000);
  ctx.figure('p99-dcqcn', (p99('dcqcn') ?? NaN) / 1000);
  ctx.figure('p99-pfc', p99('pfc'));
  ctx.figure('dropped', dropsOf(small.result));
  ctx.figure('dropped-dcqcn', dropsOf(ran.dcqcn.result));
  ctx.figure('pauses', ran.pfc.result.pauses);
  const [dcqcn, alone] = [dropsOf(ran.dcqcn.result), dropsOf(small.result)];
  ctx.outcome(
    'dcqcn',
    alone === 0 ? 'nothing' : dcqcn < alone / 10 ? 'nearly' : dcqcn < alone / 1.5 ? 'some' : 'hardly',
  );
  ctx.answer(
    `Over ${formatNumber(period / 1000)} ms the link was used to ${formatNumber(averaged.get(period) ?? load)} % at most, over 10 µs to ${formatNumber(averaged.get(SAMPLE_US) ?? NaN)} %. The queue reached ${formatNumber(peak)} KB, and was empty ${formatNumber(100 * empty)} % of the time.`,
  );
}
