/** A simulation, and what its rates say. */
import { payloadRate } from '../fabric/link.js';
import { dropsOf, average } from '../fabric/samples.js';
import { FLOWS, type Context } from './params.js';
import { GBPS, ratesOf, scenarioOf, WINDOW_MS, type Preset, type Rates } from './scenario.js';

const FAIR = 0.95;
const FULL = 0.9;
/** After a start, until the cuts are over, ms. */
const CUTS_MS = 3;

/** Times in ms, rates in Gb/s. */
export interface Measured {
  preset: Preset;
  over: Rates[];
  /** From the start of the second flow, and of the last; null: not before the next start or the end. */
  fairSecond: number | null;
  fair: number | null;
  /** From the last start. */
  full: number | null;
  /** Means after the last start: Jain’s index, part of what the link carries, part that the last flow gets. */
  jain: number;
  use: number;
  newcomer: number;
  /** Gain of each of the first two flows while they are alone, per ms; null where they had the link filled. */
  rise: number | null;
  most: number;
  cnps: number;
  drops: number;
}

/** Windows in a row. */
const HELD = 5;

/** Time from `from` until the rates are fair for some windows in a row, before `to`. */
function fairAfter(over: readonly Rates[], from: number, to: number): number | null {
  const within = over.filter(({ ms }) => ms > from + WINDOW_MS / 2 && ms <= to);
  const first = within.find((_, i) => {
    const next = within.slice(i, i + HELD);
    return next.length === HELD && next.every(({ jain }) => jain !== null && jain >= FAIR);
  });
  return first ? first.ms - from : null;
}

/** Gb/s per ms that each of two flows gains: the slope of the line that fits their sum best. */
function riseOf(over: readonly Rates[], from: number, to: number): number | null {
  const within = over.filter(({ ms }) => ms >= from && ms <= to);
  const last = within.at(-1);
  if (!last || last.sum >= FULL * payloadRate(GBPS)) return null;
  const [x, y] = [average(within.map(({ ms }) => ms)), average(within.map(({ sum }) => sum))];
  const both = within.reduce((all, { ms, sum }) => all + (ms - x) * (sum - y), 0);
  return both / within.reduce((all, { ms }) => all + (ms - x) ** 2, 0) / 2;
}

export async function measure(ctx: Context, preset: Preset, seed: number): Promise<Measured> {
  const { join, duration } = ctx.params;
  const { samples, result } = await ctx.simulate(scenarioOf(ctx.params, preset, seed), {
    title: `${preset.label}, seed ${seed}`,
  });
  const over = ratesOf(samples, ctx.params);
  const last = (FLOWS - 1) * join;
  const end = last + duration;
  const after = over.filter(({ ms }) => ms > last + WINDOW_MS / 2);
  const line = payloadRate(GBPS);
  const full = after.findLastIndex(({ sum }) => sum < FULL * line);
  return {
    preset,
    over,
    fairSecond: fairAfter(over, join, 2 * join),
    fair: fairAfter(over, last, end),
    full: after[full + 1] ? after[full + 1]!.ms - last : null,
    jain: average(after.map(({ jain }) => jain ?? 0)),
    use: average(after.map(({ sum }) => sum)) / line,
    newcomer: average(after.map(({ rates, sum }) => rates.at(-1)! / sum)),
    rise: riseOf(over, join + CUTS_MS, 2 * join),
    most: Math.max(...over.map(({ sum }) => sum)),
    cnps: result.cnps,
    drops: dropsOf(result),
  };
}
