import type { RunModel } from './run-model';

/** What one endpoint counted. */
export interface CounterCell {
  now: number;
  /** What happened during the run; null without a snapshot from before it. */
  change: number | null;
}

export interface CounterRow {
  name: string;
  /** In the order of the view's endpoints; null where the endpoint's device has no such counter. */
  cells: (CounterCell | null)[];
  /** It counted something, in the run as far as that is known. */
  moved: boolean;
}

export interface CountersView {
  endpoints: string[];
  /** Those that moved first, then by name. */
  rows: CounterRow[];
}

/** Counters by name, a column for each endpoint. */
export function countersView(model: RunModel): CountersView {
  const endpoints = [...model.counters.keys()].sort((a, b) => a.localeCompare(b));
  const names = new Set([...model.counters.values()].flatMap((c) => Object.keys(c.latest)));
  const rows = [...names].map((name): CounterRow => {
    const cells = endpoints.map((endpoint): CounterCell | null => {
      const { latest, before } = model.counters.get(endpoint)!;
      const now = latest[name];
      if (now === undefined) return null;
      // One that the first snapshot does not have had counted nothing then.
      return { now, change: before === null ? null : now - (before[name] ?? 0) };
    });
    return { name, cells, moved: cells.some((cell) => cell !== null && (cell.change ?? cell.now) !== 0) };
  });
  rows.sort((a, b) => Number(b.moved) - Number(a.moved) || a.name.localeCompare(b.name));
  return { endpoints, rows };
}
