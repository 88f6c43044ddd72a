import type { LineTrack } from './track';

/** Index of the last value at or before a time; -1 before the first. */
export function holding(t: Float64Array, time: number): number {
  let low = 0;
  let high = t.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (t[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Value of each line at a time; NaN if unknown. */
export function valuesAt({ lines, form, width = 0 }: LineTrack, time: number): number[] {
  return lines.map(({ t, y }) => {
    const before = holding(t, time);
    if (form === 'steps') return before < 0 ? NaN : y[before]!;
    const next = t[before] === time ? before : before + 1;
    return next < t.length && t[next]! - width <= time ? y[next]! : NaN;
  });
}
