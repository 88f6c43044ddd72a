import { heightOf } from '../form/common-results.js';
import { formatNumber, plural } from '../base/format.js';
import { powersOfTwo, statOf, sweep, type Stat } from '../base/sweep.js';
import { farthest } from '../fabric/means.js';
import { seedsOf } from '../fabric/params.js';
import { dropsOf, average } from '../fabric/samples.js';
import type { Context } from './params.js';
import { LINE, portScenario, ratesOf, SETTINGS, uplinkScenario, type Setting } from './scenario.js';

type Part = 'port' | 'uplink';
/** Tolerance of the formula. */
const TOLERANCE = 0.15;

/** A simulation: the rate of the one flow, and the mean of those beside it, Gb/s. */
interface Measured {
  part: Part;
  setting: Setting;
  k: number;
  one: number;
  others: number;
  pauses: number;
  drops: number;
}

/** Settings of each part: the port without and with control; the uplink also without PFC. */
const PARTS: Record<Part, readonly Setting[]> = {
  port: ['pfc', 'control'],
  uplink: ['pfc', 'control', 'drop'],
};

export async function runPfcVictim(ctx: Context): Promise<void> {
  const counts = powersOfTwo(ctx.params.most);
  const settings = (Object.keys(PARTS) as Part[]).flatMap((part) =>
    PARTS[part].flatMap((setting) =>
      counts.flatMap((k) => seedsOf(ctx.params).map((seed) => ({ part, setting, k, seed }))),
    ),
  );
  const found = await sweep(
    ctx,
    settings,
    1,
    ({ part, setting, k }) => title(part, setting, k),
    (one) => measure(ctx, one),
  );
  const all = found.flat();
  const residuals = {
    port: counts.map((k) => showPort(ctx, all, k)),
    uplink: counts.map((k) => showUplink(ctx, all, k)),
  };
  for (const part of ['port', 'uplink'] as const) ctx.figure(`residual-${part}`, farthest(residuals[part]));
  judge(ctx, all, [...residuals.port, ...residuals.uplink]);
  conclude(ctx, all);
}

const title = (part: Part, setting: Setting, k: number): string =>
  part === 'port'
    ? `${SETTINGS[setting]}: one flow against ${k} of another port`
    : `${SETTINGS[setting]}: a victim beside ${plural(k, 'flow')}`;

async function measure(
  ctx: Context,
  { part, setting, k, seed }: { part: Part; setting: Setting; k: number; seed: number },
): Promise<Measured> {
  const make = part === 'port' ? portScenario : uplinkScenario;
  const simulated = await ctx.simulate(make(ctx.params, setting, k, seed), {
    title: `${title(part, setting, k)}, seed ${seed}`,
  });
  const rates = ratesOf(simulated);
  // The flow that is alone comes from host 0; the victim is the only flow to its host.
  const [hot] = rates.map(({ to }) => to);
  const isOne = ({ from, to }: { from: number; to: number }): boolean =>
    part === 'port' ? from === 0 : to !== hot;
  return {
    part,
    setting,
    k,
    one: average(rates.filter(isOne).map(({ gbps }) => gbps)),
    others: average(rates.filter((rate) => !isOne(rate)).map(({ gbps }) => gbps)),
    pauses: simulated.result.pauses,
    drops: dropsOf(simulated.result),
  };
}

const of = (all: readonly Measured[], part: Part, setting: Setting, k: number): Measured[] =>
  all.filter((one) => one.part === part && one.setting === setting && one.k === k);

const stat = (
  all: readonly Measured[],
  [part, setting, k]: [Part, Setting, number],
  value: (one: Measured) => number,
): Stat => statOf(of(all, part, setting, k).map(value));

/** What PFC gives to each of k flows that share a port, if two ports send to one link. */
export const shareOf = (k: number): number => LINE / (2 * k);

/** Returns the residual of the k flows, %. */
function showPort(ctx: Context, all: readonly Measured[], k: number): number {
  const alone = stat(all, ['port', 'pfc', k], ({ one }) => one);
  const each = stat(all, ['port', 'pfc', k], ({ others }) => others);
  const [alonecc, eachcc] = [
    stat(all, ['port', 'control', k], ({ one }) => one),
    stat(all, ['port', 'control', k], ({ others }) => others),
  ];
  const residual = 100 * (each.value / shareOf(k) - 1);
  ctx.row('port', {
    k,
    alone: alone.value,
    each: each.value,
    formula: shareOf(k),
    residual,
    fair: LINE / (k + 1),
    alonecc: alonecc.value,
    eachcc: eachcc.value,
  });
  ctx.point('port-by-k', { x: k, ...heightOf(alone), series: 'alone' });
  ctx.point('port-by-k', { x: k, ...heightOf(each), series: 'each' });
  ctx.point('port-by-k', { x: k, y: shareOf(k), series: 'formula' });
  ctx.point('port-by-k', { x: k, ...heightOf(alonecc), series: 'alone-cc' });
  ctx.point('port-by-k', { x: k, ...heightOf(eachcc), series: 'each-cc' });
  return residual;
}

/** Returns the residual of the victim, %. */
function showUplink(ctx: Context, all: readonly Measured[], k: number): number {
  const victim = (setting: Setting): Stat => stat(all, ['uplink', setting, k], ({ one }) => one);
  const residual = 100 * (victim('pfc').value / shareOf(k) - 1);
  ctx.row('uplink', {
    k,
    victim: victim('pfc').value,
    formula: shareOf(k),
    residual,
    ideal: LINE / 2,
    control: victim('control').value,
    drop: victim('drop').value,
    pauses: stat(all, ['uplink', 'pfc', k], ({ pauses }) => pauses).value,
    pausescc: stat(all, ['uplink', 'control', k], ({ pauses }) => pauses).value,
  });
  for (const setting of PARTS.uplink)
    ctx.point('victim-by-k', { x: k, ...heightOf(victim(setting)), series: setting });
  ctx.point('victim-by-k', { x: k, y: shareOf(k), series: 'formula' });
  ctx.point('victim-by-k', { x: k, y: LINE / 2, series: 'ideal' });
  return residual;
}

function judge(ctx: Context, all: readonly Measured[], residuals: readonly number[]): void {
  const lost = all.filter(({ setting }) => setting !== 'drop').reduce((sum, { drops }) => sum + drops, 0);
  ctx.check('lossless', lost === 0, `${plural(lost, 'packet')} dropped with PFC.`);
  const paused = all.filter(
    ({ part, setting, pauses, k }) => setting === 'pfc' && (k > 1 || part === 'port') && pauses === 0,
  );
  ctx.check(
    'paused',
    paused.length === 0,
    paused.length === 0
      ? 'PFC acted in every setting without control.'
      : 'In a setting PFC never acted: the windows do not fill the buffer. Choose a smaller buffer.',
  );
  const off = residuals.filter((one) => Math.abs(one) > 100 * TOLERANCE);
  ctx.check(
    'formula',
    off.length === 0,
    `${residuals.length - off.length} of ${residuals.length} rates are within ${100 * TOLERANCE} % of C / (2 × k).`,
  );
}

function conclude(ctx: Context, all: readonly Measured[]): void {
  const k = ctx.params.most;
  const set = (name: string, { value, min, max, n }: Stat): void => ctx.figure(name, value, { min, max, n });
  const [alone, victim] = [
    stat(all, ['port', 'pfc', k], ({ one }) => one),
    stat(all, ['uplink', 'pfc', k], ({ one }) => one),
  ];
  set('victim', victim);
  set(
    'victim-cc',
    stat(all, ['uplink', 'control', k], ({ one }) => one),
  );
  set(
    'victim-drop',
    stat(all, ['uplink', 'drop', k], ({ one }) => one),
  );
  ctx.figure('ideal', LINE / 2);
  set('alone', alone);
  set(
    'each',
    stat(all, ['port', 'pfc', k], ({ others }) => others),
  );
  set(
    'alone-cc',
    stat(all, ['port', 'control', k], ({ one }) => one),
  );
  set(
    'each-cc',
    stat(all, ['port', 'control', k], ({ others }) => others),
  );
  ctx.figure('fair', LINE / (k + 1));
  set(
    'pauses',
    stat(all, ['uplink', 'pfc', k], ({ pauses }) => pauses),
  );
  set(
    'pauses-cc',
    stat(all, ['uplink', 'control', k], ({ pauses }) => pauses),
  );
  const part = alone.value / LINE;
  ctx.outcome('alone', part > 0.75 ? 'all' : part > (0.5 + 1 / (k + 1)) / 2 ? 'half' : 'share');
  ctx.answer(
    `A flow that only shared an uplink with ${plural(k, 'flow')} to a busy host got ${formatNumber(victim.value)} of the ${formatNumber(LINE / 2)} Gb/s that it could have, and ${formatNumber(stat(all, ['uplink', 'control', k], ({ one }) => one).value)} with congestion control.`,
  );
}
