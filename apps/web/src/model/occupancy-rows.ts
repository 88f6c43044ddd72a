import type { QueueTrack } from '@verbslab/report/queues';

/** Most rows of a chart: with more, several lie in a pixel. */
const MOST = 1_500;

export interface OccupancyRow {
  /** Seconds. */
  t: number;
  /** Absent while unknown. */
  used?: number;
  [key: string]: number | undefined;
}

/** Rows of a chart of steps until `end`, ns. In a stretch with many changes, its smallest and its largest value. */
export function occupancyRows({ fills }: QueueTrack, end: number): OccupancyRow[] {
  const rows = fills.map(({ t, fill }): OccupancyRow => ({
    t: t / 1e9,
    ...(typeof fill === 'string' ? {} : { used: fill.used }),
  }));
  const last = rows.at(-1);
  if (last?.used !== undefined && end / 1e9 > last.t) rows.push({ ...last, t: end / 1e9 });
  if (rows.length <= MOST) return rows;
  const out: OccupancyRow[] = [];
  const step = Math.ceil((2 * rows.length) / MOST);
  for (let i = 0; i < rows.length; i += step) {
    const part = rows.slice(i, i + step);
    const known = part.filter(({ used }) => used !== undefined);
    const extremes = [
      known.reduce((a, b) => (b.used! < a.used! ? b : a), known[0]!),
      known.reduce((a, b) => (b.used! > a.used! ? b : a), known[0]!),
    ];
    const kept = new Set(known.length === 0 ? part.slice(0, 1) : [...extremes, part.at(-1)!]);
    out.push(...part.filter((row) => kept.has(row)));
  }
  return out;
}
