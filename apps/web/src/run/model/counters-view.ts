import type { RunModel } from './run-model';

export interface CounterRow {
  endpoint: string;
  name: string;
  before: number | null;
  now: number;
  /** What happened during the run; null without a snapshot from before it. */
  change: number | null;
}

/** Counters of all endpoints: those that moved first, then by name. */
export function counterRows(model: RunModel): CounterRow[] {
  const rows: CounterRow[] = [];
  for (const [endpoint, c] of model.counters) {
    for (const [name, now] of Object.entries(c.latest)) {
      // One that the first snapshot does not have had counted nothing then.
      const before = c.before === null ? null : (c.before[name] ?? 0);
      rows.push({ endpoint, name, before, now, change: before === null ? null : now - before });
    }
  }
  const moved = (r: CounterRow) => (r.change === null ? r.now : r.change) !== 0;
  return rows.sort(
    (a, b) =>
      Number(moved(b)) - Number(moved(a)) ||
      a.name.localeCompare(b.name) ||
      a.endpoint.localeCompare(b.endpoint),
  );
}
