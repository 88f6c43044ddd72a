import type { ChartRow } from './chart-rows.js';
import type { Scale } from './scales.js';

const point = (x: Scale, y: Scale, a: number, b: number): string => `${x(a).toFixed(1)} ${y(b).toFixed(1)}`;

/** Rows that have a value, in stretches without a gap. */
function stretchesOf(rows: readonly ChartRow[], key: string): ChartRow[][] {
  const out: ChartRow[][] = [];
  let open: ChartRow[] | null = null;
  for (const row of rows) {
    if (row[key] === undefined) open = null;
    else if (open) open.push(row);
    else out.push((open = [row]));
  }
  return out;
}

/** A line through the values of one key; a missing value is a gap. */
export function linePath(rows: readonly ChartRow[], key: string, x: Scale, y: Scale): string {
  return stretchesOf(rows, key)
    .map((s) => `M${s.map((r) => point(x, y, r.t, r[key]!)).join('L')}`)
    .join('');
}

/** One layer of a stack: between the sum of the keys below it and that sum with its own value. */
export function layerPath(
  rows: readonly ChartRow[],
  below: readonly string[],
  key: string,
  x: Scale,
  y: Scale,
): string {
  const base = (r: ChartRow) => below.reduce((sum, k) => sum + (r[k] ?? 0), 0);
  return stretchesOf(rows, key)
    .map((s) => {
      const upper = s.map((r) => point(x, y, r.t, base(r) + r[key]!));
      const lower = s.map((r) => point(x, y, r.t, base(r))).reverse();
      return `M${[...upper, ...lower].join('L')}Z`;
    })
    .join('');
}

/** The outline of a histogram: a step a bin, from the left edge of the first to the right edge of the last. */
export function stepPath(edges: readonly number[], heights: readonly number[], x: Scale, y: Scale): string {
  if (heights.length === 0) return '';
  const steps = heights.map(
    (h, i) => `L${point(x, y, edges[i]!, h)}L${point(x, y, edges[i + 1] ?? edges[i]!, h)}`,
  );
  return `M${point(x, y, edges[0]!, 0)}${steps.join('')}L${point(x, y, edges[heights.length] ?? edges.at(-1)!, 0)}`;
}
