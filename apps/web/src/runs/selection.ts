import { noun } from '@verbslab/labs';

/** Selected runs. Pure functions: ids in, ids out. */
export type Selection = ReadonlySet<string>;

/** The selection after a run was ticked or unticked; with `from`, all runs between the two in the displayed order. */
export function ticked(
  selection: Selection,
  order: readonly string[],
  id: string,
  on: boolean,
  from: string | null = null,
): Selection {
  const ends = [order.indexOf(from ?? id), order.indexOf(id)].sort((a, b) => a - b);
  const range = ends[0]! < 0 ? [id] : order.slice(ends[0], ends[1]! + 1);
  const next = new Set(selection);
  for (const one of range) {
    if (on) next.add(one);
    else next.delete(one);
  }
  return next;
}

/** Selected runs that are displayed; hidden ones are never deleted. */
export const shownOf = (selection: Selection, order: readonly string[]): string[] =>
  order.filter((id) => selection.has(id));

/** Run to focus after these runs are deleted: the next remaining one, or else the previous one. */
export function survivor(order: readonly string[], gone: ReadonlySet<string>): string | null {
  const first = order.findIndex((id) => gone.has(id));
  if (first < 0) return null;
  return (
    order.slice(first).find((id) => !gone.has(id)) ??
    order.slice(0, first).findLast((id) => !gone.has(id)) ??
    null
  );
}

/** Ranges of run numbers in ascending order: `3`, `3–5, 8`. */
export function numbersText(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const n of [...numbers].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && n === last[1] + 1) last[1] = n;
    else ranges.push([n, n]);
  }
  return ranges
    .map(([from, to]) => (from === to ? `${from}` : to === from + 1 ? `${from}, ${to}` : `${from}–${to}`))
    .join(', ');
}

/** Text such as `run 3` or `runs 3–5, 8`. */
export const runsText = (numbers: readonly number[]): string =>
  `${noun(numbers.length, 'run')} ${numbersText(numbers)}`;
