import type { Transport } from '@verbslab/protocol';
import type { Hole, SeriesRow, SeriesView } from './series-view.js';

/** Rows in the renderer's format: an object per x with flat keys. A missing value leaves a gap in the line. */
export type ChartRow = { t: number } & Record<string, number | undefined>;

/**
 * Caches a result per view, which never changes: a chart, its axis, its crosshair and the timeline ask for the same
 * one.
 */
function ofView<T extends object>(make: (view: SeriesView) => T): (view: SeriesView) => T {
  const made = new WeakMap<SeriesView, T>();
  return (view) => {
    const known = made.get(view) ?? make(view);
    made.set(view, known);
    return known;
  };
}

export const goodputRows = ofView((view): readonly ChartRow[] =>
  view.rows.map((r) => {
    const row: ChartRow = { t: r.t };
    for (const t of view.transports) {
      const s = r[t];
      if (s && Number.isFinite(s.gbps)) row[t] = s.gbps;
    }
    return row;
  }),
);

export const CPU_KEYS = ['app', 'nic', 'kernel'] as const;
/** The parts of a run's whole cost. The kernel's work outside of processes is known only at the end of a run. */
export const COST_KEYS = [...CPU_KEYS, 'outside'] as const;
export type CostKey = (typeof COST_KEYS)[number];
export type CpuKey = (typeof CPU_KEYS)[number];

const cpuRowsOf = ofView(() => new Map<Transport | null, readonly ChartRow[]>());

/** CPU of one transport in cores, or of the transport that ran at the time if they ran in turn (`transport` null). */
export function cpuRows(view: SeriesView, transport: Transport | null): readonly ChartRow[] {
  const known = cpuRowsOf(view);
  const rows = known.get(transport) ?? newCpuRows(view, transport);
  known.set(transport, rows);
  return rows;
}

function newCpuRows(view: SeriesView, transport: Transport | null): ChartRow[] {
  return view.rows.map((r) => {
    const row: ChartRow = { t: r.t };
    const samples = (transport ? [transport] : view.transports).flatMap((t) => r[t] ?? []);
    // A bin in which one transport ends and the next begins counts each by its part of the time.
    const measured = samples.reduce((sum, { measuredNs }) => sum + measuredNs, 0);
    for (const { cpu, measuredNs } of samples) {
      const share = measuredNs / measured;
      row.app = (row.app ?? 0) + cpu.app * share;
      row.nic = (row.nic ?? 0) + (Number.isNaN(cpu.nic) ? 0 : cpu.nic * share);
      row.kernel = (row.kernel ?? 0) + cpu.kernel * share;
    }
    return row;
  });
}

/** True if two transports ran at the same time. A single stack would mix them. */
export function overlapping(view: SeriesView): boolean {
  const both = (r: SeriesRow) => view.transports.filter((t) => r[t]).length > 1;
  // A bin where one transport ends and the next begins may hold both, and rounds alternate often.
  return view.rows.filter(both).length > view.rows.length / 2;
}

/** Stretches in which a transport has values. Its name stands there when lines are not named. */
export function stretches(view: SeriesView): { transport: Transport; from: number; to: number }[] {
  return view.transports.flatMap((transport) => {
    const out: { transport: Transport; from: number; to: number }[] = [];
    let open = false;
    for (const row of view.rows) {
      if (row.hole?.transport === transport) continue;
      if (!row[transport]) open = false;
      else if (open) out.at(-1)!.to = row.t;
      else {
        out.push({ transport, from: row.t, to: row.t });
        open = true;
      }
    }
    return out;
  });
}

/** CPU of a hole in cores, all parts together. */
export function holeCores({ sample: { cpu } }: Hole): number {
  return cpu.app + (Number.isNaN(cpu.nic) ? 0 : cpu.nic) + cpu.kernel;
}

/** The largest value that a goodput chart draws. */
export function goodputTop(view: SeriesView): number {
  const values = goodputRows(view).flatMap((row) => view.transports.map((t) => row[t] ?? 0));
  return Math.max(0, ...values, ...view.holes.map((hole) => hole.sample.gbps).filter(Number.isFinite));
}

/** The largest sum that a CPU chart draws, in cores. */
export function cpuTop(view: SeriesView): number {
  const which = overlapping(view) ? view.transports : [null];
  const sums = which.flatMap((t) =>
    cpuRows(view, t).map((r) => (r.app ?? 0) + (r.nic ?? 0) + (r.kernel ?? 0)),
  );
  return Math.max(0, ...sums, ...view.holes.map(holeCores));
}

/** The time of a hole in a table: start and end, in one row. */
export function holeTime({ from, to }: Hole): string {
  return `${from.toFixed(2)} to ${to.toFixed(2)}, one sample`;
}

/**
 * Ticks of an axis that starts at zero: at most `n` steps of 1, 2, 2.5 or 5 times a power of ten. The last tick is
 * above all values and not below `least`.
 */
export function axisTicks(values: Iterable<number | undefined>, n = 4, least = 0): number[] {
  let max = least;
  for (const v of values) if (v !== undefined && Number.isFinite(v) && v > max) max = v;
  if (max === 0) max = 1;
  const raw = max / n;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((s) => s * n >= max * 0.9999)!;
  const count = Math.max(1, Math.ceil((max / step) * 0.9999));
  return Array.from({ length: count + 1 }, (_, i) => Number((i * step).toPrecision(12)));
}
