/** Most rows of a chart: with more, several lie in a pixel. */
const MOST = 1_500;

/** Rows of a chart of steps. In a stretch with many, those with its smallest and its largest value, and its last one. */
export function thinnedRows<Row>(rows: readonly Row[], value: (row: Row) => number | undefined): Row[] {
  if (rows.length <= MOST) return [...rows];
  const out: Row[] = [];
  const step = Math.ceil((2 * rows.length) / MOST);
  for (let i = 0; i < rows.length; i += step) {
    const part = rows.slice(i, i + step);
    const known = part.filter((row) => value(row) !== undefined);
    const extremes = [
      known.reduce((a, b) => (value(b)! < value(a)! ? b : a), known[0]!),
      known.reduce((a, b) => (value(b)! > value(a)! ? b : a), known[0]!),
    ];
    const kept = new Set(known.length === 0 ? part.slice(0, 1) : [...extremes, part.at(-1)!]);
    out.push(...part.filter((row) => kept.has(row)));
  }
  return out;
}
