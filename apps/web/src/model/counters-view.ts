import type { RunModel } from './run-model';

/** Counter of an endpoint. */
export interface CounterCell {
  now: number;
  /** Change during the run; null without a snapshot from before it. */
  change: number | null;
}

export interface CounterRow {
  name: string;
  /** Cells in the order of the view's endpoints; null if the endpoint's device has no such counter. */
  cells: (CounterCell | null)[];
  /** True if the counter changed during the run, or is not 0 if the change is unknown. */
  moved: boolean;
}

export interface CountersView {
  endpoints: string[];
  /** Rows by name, those that moved first. */
  rows: CounterRow[];
}

/** Counters by name, with a column for each endpoint. */
export function countersView(model: RunModel): CountersView {
  const endpoints = [...model.counters.keys()].sort((a, b) => a.localeCompare(b));
  const names = new Set([...model.counters.values()].flatMap((c) => Object.keys(c.latest)));
  const rows = [...names].map((name): CounterRow => {
    const cells = endpoints.map((endpoint): CounterCell | null => {
      const { latest, before } = model.counters.get(endpoint)!;
      const now = latest[name];
      if (now === undefined) return null;
      // A counter that is missing in the first snapshot was 0 then.
      return { now, change: before === null ? null : now - (before[name] ?? 0) };
    });
    return { name, cells, moved: cells.some((cell) => cell !== null && (cell.change ?? cell.now) !== 0) };
  });
  rows.sort((a, b) => Number(b.moved) - Number(a.moved) || a.name.localeCompare(b.name));
  return { endpoints, rows };
}
