import type { RunRow } from '@verbslab/protocol';
import type { RunColumn } from './columns';
import type { Sort } from '../parts/run/list-query';

type Key = number | string | null;

function compare(a: Key, b: Key): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b), 'en', { numeric: true });
}

/** Runs in the order of a column; those of which it knows nothing are last, and equal ones stay as they were. */
export function sortRuns(
  runs: readonly RunRow[],
  columns: readonly RunColumn[],
  { id, desc }: Sort,
): RunRow[] {
  const column = columns.find((one) => one.id === id);
  if (!column) return [...runs];
  const { sort, then } = column;
  const keyed = runs.map((run) => ({ run, keys: [sort(run), then?.(run) ?? null] as const }));
  return keyed
    .sort((a, b) => {
      for (const at of [0, 1] as const) {
        const [x, y] = [a.keys[at], b.keys[at]];
        if (x === y) continue;
        if (x === null || y === null) return x === null ? 1 : -1;
        const order = compare(x, y);
        if (order !== 0) return desc ? -order : order;
      }
      return 0;
    })
    .map(({ run }) => run);
}
