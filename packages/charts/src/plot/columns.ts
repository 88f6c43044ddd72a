import type { PlotRow } from './plot.js';

type Column<T> = (row: PlotRow) => T | null | undefined;

const columns = new Map<string, Column<number>>();

/**
 * The function with which recharts reads a line's values. A key as text would be a path: `a.b` would look for `b` in
 * `a`. A key always gets the same function, because recharts treats a line with another function as another line.
 */
export function columnOf(key: string): Column<number> {
  let column = columns.get(key);
  if (!column) columns.set(key, (column = (row) => row[key]));
  return column;
}

const layers = new Map<string, Column<[number, number]>>();

/** The range of a layer of a stack: from the sum of the keys below it to that sum plus its own value. */
export function layerOf(below: readonly string[], key: string): Column<[number, number]> {
  const name = [...below, key].join('\n');
  let layer = layers.get(name);
  if (!layer) {
    layer = (row) => {
      const value = row[key];
      if (value === undefined || value === null) return value;
      const base = below.reduce((sum, one) => sum + (row[one] ?? 0), 0);
      return [base, base + value];
    };
    layers.set(name, layer);
  }
  return layer;
}
