import type { AxisView, CurveView } from '@verbslab/labs';
import type { Domain } from './scales.js';
import { axisTicks } from './chart-rows.js';
import { timeTicks } from './ticks.js';

export interface AxisScale {
  domain: Domain;
  ticks: number[];
  scale: 'linear' | 'log';
}

/** Powers of two in steps of `by`, for bytes on a log axis. */
function powersOfTwo([lo, hi]: Domain, by: number): number[] {
  const out: number[] = [];
  for (let e = Math.ceil(Math.log2(lo) - 1e-9); e <= Math.log2(hi) + 1e-9; e++)
    if (e % by === 0) out.push(2 ** e);
  return out;
}

/** Most ticks of a log axis that are not powers of two. */
const MOST_DECIMAL = 6;

/** 1, 2 and 5 of each decade, or fewer where these are too many. */
function decimalTicks([lo, hi]: Domain): number[] {
  const decades = Array.from(
    { length: Math.ceil(Math.log10(hi)) - Math.floor(Math.log10(lo)) + 1 },
    (_, i) => Math.floor(Math.log10(lo)) + i,
  );
  const of = (within: readonly number[]): number[] =>
    decades
      .flatMap((decade) => within.map((m) => Number((m * 10 ** decade).toPrecision(3))))
      .filter((tick) => tick >= lo && tick <= hi);
  return (
    [
      [1, 2, 3, 5],
      [1, 2, 5],
      [1, 3],
    ]
      .map(of)
      .find((ticks) => ticks.length <= MOST_DECIMAL) ?? of([1])
  );
}

const binary = ({ unit }: AxisView): boolean => unit === 'B';

/** Fewest ticks that show how far apart values are. */
const FEWEST = 3;

/** Round numbers in even steps, for an axis within a decade. Empty if no step gives enough ticks. */
function evenTicks([lo, hi]: Domain): number[] {
  for (const parts of [6, 12, 24]) {
    const power = 10 ** Math.floor(Math.log10((hi - lo) / parts));
    const by = [1, 2, 5, 10].map((m) => m * power).find((step) => step * parts >= (hi - lo) * 0.9999)!;
    const first = Math.ceil(lo / by - 1e-9);
    const count = Math.floor(hi / by + 1e-9) - first + 1;
    if (count >= FEWEST)
      return Array.from({ length: count }, (_, i) => Number(((first + i) * by).toPrecision(12)));
  }
  return [];
}

/** Most ticks of an axis before the width of the chart thins them out. */
const MOST = 12;

function logScale(axis: AxisView, values: readonly number[], widen: boolean): AxisScale {
  const positive = values.filter((v) => v > 0);
  const [lo, hi] = [Math.min(...positive), Math.max(...positive)];
  // The axis of a single value needs some range around it.
  const domain: Domain = widen || lo === hi ? [lo / 1.25, hi * 1.25] : [lo, hi];
  if (binary(axis)) {
    const by = [1, 2, 4, 8].find((step) => powersOfTwo(domain, step).length <= MOST) ?? 8;
    return { domain, ticks: powersOfTwo(domain, by), scale: 'log' };
  }
  const ticks = [decimalTicks(domain), lo < hi ? evenTicks(domain) : []].find(
    (each) => each.length >= FEWEST,
  );
  return { domain, ticks: ticks ?? [...new Set([lo, hi])], scale: 'log' };
}

/** The values themselves if they are few: readers look for the measured values. Null if there are more. */
function few(values: readonly number[]): number[] | null {
  const distinct = [...new Set(values)].sort((a, b) => a - b);
  return distinct.length <= MOST ? distinct : null;
}

/** True if the axis is logarithmic and can be: a log axis cannot show zero. */
const canLog = (axis: AxisView, values: readonly number[]): boolean =>
  axis.log && values.some((v) => v > 0) && values.every((v) => v > 0);

export function xScale({ x, series }: CurveView): AxisScale {
  const values = series.flatMap(({ points }) => points.map((point) => point.x));
  if (canLog(x, values)) {
    const scale = logScale(x, values, false);
    return { ...scale, ticks: few(values) ?? scale.ticks };
  }
  const [lo, hi] = [Math.min(...values), Math.max(...values)];
  const domain: Domain = lo === hi ? [lo - 1, hi + 1] : [lo, hi];
  return { domain, ticks: few(values) ?? timeTicks(domain), scale: 'linear' };
}

export function yScale({ y, series }: Pick<CurveView, 'y' | 'series'>): AxisScale {
  const values = series.flatMap(({ points }) =>
    points.flatMap((point) =>
      [point.y, point.min, point.max].filter((v): v is number => typeof v === 'number'),
    ),
  );
  if (canLog(y, values)) return logScale(y, values, true);
  const least = Math.min(0, ...values);
  if (least < 0) {
    const domain: Domain = [least, Math.max(0, ...values)];
    return { domain, ticks: timeTicks(domain), scale: 'linear' };
  }
  const ticks = axisTicks(values);
  return { domain: [0, ticks.at(-1)!], ticks, scale: 'linear' };
}
