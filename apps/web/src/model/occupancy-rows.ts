import type { QueueTrack } from '@verbslab/report/queues';
import { thinnedRows } from './thinned-rows';

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
  return thinnedRows(rows, ({ used }) => used);
}
