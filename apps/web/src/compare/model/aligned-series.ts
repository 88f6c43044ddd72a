import type { RunModel } from '../../model/run-model';
import type { Transport } from '@verbslab/protocol';
import {
  type ChartRow,
  type Hole,
  seriesView,
  type SeriesView,
  type StartUp,
  type TransportSample,
} from '@verbslab/charts/data';

export const METRICS = ['goodput', 'app', 'nic', 'kernel'] as const;
export type Metric = (typeof METRICS)[number];

/** Data for a line. */
export interface AlignedSource {
  key: string;
  model: RunModel;
  transport: Transport;
}

export interface Aligned {
  /**
   * Rows per metric, one per bin. A row has a value per line under its key, or under `warm(key)` during a warm-up. A
   * missing value is a gap.
   */
  rows: Record<Metric, ChartRow[]>;
  /** Samples of a line that took much longer than the others, on the common axis. */
  holes: { key: string; hole: Hole }[];
  /** The longest warm-up before time 0. */
  warmUp: number;
  /** Seconds since measuring began. */
  domain: readonly [number, number];
}

/** Key of a line's warm-up, which counts in no figure. */
export const warm = (key: string): string => `${key} warm-up`;

const valueOf = (sample: TransportSample, metric: Metric): number =>
  metric === 'goodput' ? sample.gbps : sample.cpu[metric];

/** Time at which measuring of a transport began: the end of its first warm-up, or its first sample. */
function zeroOf(view: SeriesView, transport: Transport): number | null {
  const first = view.startUps.find((one) => one.transport === transport);
  if (first) return first.to;
  const row = view.rows.find((one) => one[transport] ?? one.hole?.transport === transport);
  return row ? (row.hole?.from ?? row.t - view.binSeconds / 2) : null;
}

const duringWarmUp = (list: readonly StartUp[], t: number): boolean =>
  list.some(({ from, to }) => t >= from && t < to);

interface Cell {
  sum: Record<Metric, number>;
  weight: Record<Metric, number>;
  warmUp: boolean;
}

const none = (): Record<Metric, number> => ({ goodput: 0, app: 0, nic: 0, kernel: 0 });

/** Time series of several lines on a common axis. Measuring of each line begins at 0. */
export function alignedSeries(sources: readonly AlignedSource[]): Aligned {
  const lines = sources.flatMap(({ key, model, transport }) => {
    const view = seriesView(model);
    const zero = zeroOf(view, transport);
    return zero === null ? [] : [{ key, view, transport, zero }];
  });
  const width = Math.max(0, ...lines.map(({ view }) => view.binSeconds));
  const cells = new Map<number, Map<string, Cell>>();
  const holes: Aligned['holes'] = [];
  let warmUp = 0;
  const [from, to] = [
    { cell: Infinity, t: Infinity },
    { cell: -Infinity, t: -Infinity },
  ];
  const reach = (least: number, most: number): void => {
    from.t = Math.min(from.t, least);
    to.t = Math.max(to.t, most);
  };
  for (const { key, view, transport, zero } of lines) {
    const startUps = view.startUps.filter((one) => one.transport === transport);
    if (startUps[0]) warmUp = Math.max(warmUp, zero - startUps[0].from);
    for (const row of view.rows) {
      if (row.hole?.transport === transport) {
        const hole = { ...row.hole, from: row.hole.from - zero, to: row.hole.to - zero };
        holes.push({ key, hole });
        reach(hole.from, hole.to);
      }
      const sample = row[transport];
      if (!sample) continue;
      const t = row.t - zero;
      const at = Math.floor(t / width + 1e-6);
      from.cell = Math.min(from.cell, at);
      to.cell = Math.max(to.cell, at);
      const ofCell = cells.get(at) ?? new Map<string, Cell>();
      cells.set(at, ofCell);
      const cell = ofCell.get(key) ?? { sum: none(), weight: none(), warmUp: true };
      ofCell.set(key, cell);
      cell.warmUp &&= duringWarmUp(startUps, row.t);
      for (const metric of METRICS) {
        const value = valueOf(sample, metric);
        if (!Number.isFinite(value)) continue;
        cell.sum[metric] += value * sample.measuredNs;
        cell.weight[metric] += sample.measuredNs;
      }
    }
  }
  if (to.cell >= from.cell) reach(from.cell * width, (to.cell + 1) * width);
  return {
    rows: rowsOf(cells, from.cell, to.cell, width),
    holes,
    warmUp,
    domain: Number.isFinite(from.t) ? [from.t, to.t] : [0, 1],
  };
}

/** A row for each bin, even if no line has a value there, so that the lines break. */
function rowsOf(
  cells: ReadonlyMap<number, ReadonlyMap<string, Cell>>,
  first: number,
  last: number,
  width: number,
): Aligned['rows'] {
  const rows: Aligned['rows'] = { goodput: [], app: [], nic: [], kernel: [] };
  for (let at = first; at <= last; at++) {
    for (const metric of METRICS) {
      const row: ChartRow = { t: Number(((at + 0.5) * width).toPrecision(12)) };
      for (const [key, { sum, weight, warmUp }] of cells.get(at) ?? [])
        if (weight[metric] > 0) row[warmUp ? warm(key) : key] = sum[metric] / weight[metric];
      rows[metric].push(row);
    }
  }
  return rows;
}

/** The largest value of a metric, holes included. */
export function topOf({ rows, holes }: Aligned, metric: Metric): number {
  let top = 0;
  for (const { t: _, ...values } of rows[metric])
    for (const value of Object.values(values)) if (value !== undefined) top = Math.max(top, value);
  for (const { hole } of holes) {
    const value = valueOf(hole.sample, metric);
    if (Number.isFinite(value)) top = Math.max(top, value);
  }
  return top;
}

/** The value of a hole. */
export const holeValue = (hole: Hole, metric: Metric): number => valueOf(hole.sample, metric);
