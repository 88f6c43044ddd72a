import type { Transport } from '@verbslab/protocol';
import type { SeriesRow, SeriesView } from './series-view';

/** Rows as the renderer takes them: one object an x, flat keys; a missing value leaves a gap in the line. */
export type ChartRow = { t: number } & Record<string, number | undefined>;

export function goodputRows(view: SeriesView): ChartRow[] {
  return view.rows.map((r) => {
    const row: ChartRow = { t: r.t };
    for (const t of view.transports) {
      const s = r[t];
      if (s && Number.isFinite(s.gbps)) row[t] = s.gbps;
    }
    return row;
  });
}

export const CPU_KEYS = ['app', 'nic', 'kernel'] as const;
/** The parts of a run's whole cost: what the kernel does outside of processes is known at its end only. */
export const COST_KEYS = [...CPU_KEYS, 'outside'] as const;
export type CostKey = (typeof COST_KEYS)[number];
export type CpuKey = (typeof CPU_KEYS)[number];

/** CPU in cores of one transport, or of whichever ran when they ran in turn (`transport` null). */
export function cpuRows(view: SeriesView, transport: Transport | null): ChartRow[] {
  return view.rows.map((r) => {
    const row: ChartRow = { t: r.t };
    for (const t of transport ? [transport] : view.transports) {
      const c = r[t]?.cpu;
      if (!c) continue;
      row.app = (row.app ?? 0) + c.app;
      row.nic = (row.nic ?? 0) + (Number.isNaN(c.nic) ? 0 : c.nic);
      row.kernel = (row.kernel ?? 0) + c.kernel;
    }
    return row;
  });
}

/** True when two transports ran at the same time: one stack would then mix them. */
export function overlapping(view: SeriesView): boolean {
  const both = (r: SeriesRow) => view.transports.filter((t) => r[t]).length > 1;
  // Where one ends and the next begins, a single bin may hold both.
  return view.rows.filter(both).length > Math.max(2, view.rows.length * 0.1);
}

/** Stretches in which a transport has values: where its name is written when lines are not named. */
export function stretches(view: SeriesView): { transport: Transport; from: number; to: number }[] {
  return view.transports.flatMap((transport) => {
    const ts = view.rows.filter((r) => r[transport]).map((r) => r.t);
    return ts.length > 0 ? [{ transport, from: ts[0]!, to: ts.at(-1)! }] : [];
  });
}

/** Ticks of an axis that starts at zero: at most `n` steps of 1, 2, 2.5 or 5 times a power of ten, the last above all values. */
export function axisTicks(values: Iterable<number | undefined>, n = 4): number[] {
  let max = 0;
  for (const v of values) if (v !== undefined && Number.isFinite(v) && v > max) max = v;
  if (max === 0) max = 1;
  const raw = max / n;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((s) => s * n >= max * 0.9999)!;
  const count = Math.max(1, Math.ceil((max / step) * 0.9999));
  return Array.from({ length: count + 1 }, (_, i) => Number((i * step).toPrecision(12)));
}
