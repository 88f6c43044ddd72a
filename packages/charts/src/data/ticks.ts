import type { Domain } from './scales.js';

function step(span: number): number {
  const raw = span / 6;
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw * 0.9999) ?? raw;
}

/** Seconds as axis ticks: about six, on round numbers. */
export function timeTicks([from, to]: Domain): number[] {
  const by = step(Math.max(1e-6, to - from));
  const out: number[] = [];
  for (let t = Math.ceil(from / by - 1e-9) * by; t <= to + 1e-9; t += by) out.push(Number(t.toPrecision(12)));
  return out;
}

/** 1, 2 and 5 of each decade inside the axis; decades alone when there are many. */
export function logTicks([lo, hi]: Domain): number[] {
  const from = Math.floor(Math.log10(lo));
  const to = Math.ceil(Math.log10(hi));
  const within = to - from > 3 ? [1] : to - from > 1 ? [1, 3] : [1, 2, 5];
  const out: number[] = [];
  for (let d = from; d <= to; d++) for (const m of within) out.push(m * 10 ** d);
  return out.filter((t) => t >= lo && t <= hi);
}

/** Lengths of the x axis while a run is in progress, seconds. */
const ROOM = [5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600];

/**
 * The x axis of a run. During a run the axis grows rarely and in large steps, so the chart stays in place in between.
 */
export function steadyDomain([from, to]: Domain, live: boolean): Domain {
  const span = to - from;
  const room = ROOM.find((r) => r >= span) ?? Math.ceil(span / 3600) * 3600;
  return [from, live ? from + room : to];
}

/** Ticks are exact: their texts without the zeros that mark the precision of a measured value, `0.01` for `0.0100`. */
export const tickOf =
  (show: (v: number) => string) =>
  (v: number): string =>
    show(v)
      .replace(/(\.\d*?)0+(?!\d)/, '$1')
      .replace(/\.(?!\d)/, '');

export function tickText(v: number): string {
  const rounded = Number(v.toPrecision(3));
  return v === 0 ? '0' : Math.abs(v) >= 1000 ? rounded.toLocaleString('en-GB') : String(rounded);
}
