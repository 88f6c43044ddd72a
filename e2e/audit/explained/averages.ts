// WRITEs without the slowest: every latency of the run in a list, sorted and cut.
import type { Evidence } from '../evidence.js';
import { itemsOf } from '../export.js';
import type { Recompute } from './found.js';

const SHARES = [50, 75, 90, 95, 99, 99.5, 99.9, 99.99];

/** µs, ascending. */
function latenciesOf({ data }: Evidence, setting: string): number[] {
  const all: number[] = [];
  for (const { curve, x, y, series } of itemsOf(data, 'point'))
    if (curve === 'cumulative' && series === setting) while (all.length < y!) all.push(x);
  return all;
}

/** Percentile: null with fewer than ten values above it, or fewer than two on a side of the median. */
function percentile(sorted: readonly number[], percent: number): number | null {
  const beyond = Math.round((sorted.length * (100 - percent)) / 100 - 1e-9);
  if (percent === 50 ? sorted.length < 5 : beyond < 10) return null;
  return sorted[Math.ceil((sorted.length * percent) / 100 - 1e-6) - 1]!;
}

export const averages: Recompute = (evidence, { setting, removed, percentile: chosen }) => {
  const all = latenciesOf(evidence, String(setting));
  const kept = all.slice(0, all.length - Number(removed));
  const recorded = itemsOf(evidence.data, 'figure').findLast(
    ({ name }) => name === (setting === 'calm' ? 'mean-calm' : 'mean'),
  )!.value!;
  const gone = all.slice(kept.length).reduce((sum, one) => sum + one, 0);
  const mean = (recorded * all.length - gone) / kept.length;
  const summary = (what: string, list: readonly number[], its: number) => ({
    what,
    n: list.length,
    mean: its,
    p50: percentile(list, 50),
    p99: percentile(list, 99),
    p999: percentile(list, 99.9),
    max: list.at(-1)!,
  });
  const curve = (series: string, list: readonly number[]) =>
    SHARES.flatMap((percent) => {
      const y = percentile(list, percent);
      return y === null ? [] : [{ x: Number((100 / (100 - percent)).toPrecision(6)), y, series }];
    });
  return {
    figures: {
      faster: (100 * kept.filter((one) => one < mean).length) / kept.length,
      'one-in': Number((100 / (100 - Number(chosen))).toPrecision(6)),
      chosen: percentile(kept, Number(chosen)),
    },
    tables: { summaries: [summary('All', all, recorded), summary('Without the slowest', kept, mean)] },
    curves: { percentiles: [...curve('all', all), ...curve('kept', kept)] },
  };
};
