/** Which runs are ticked. Pure: ids in, ids out. */
export type Selection = ReadonlySet<string>;

/** One run ticked or unticked; with `from`, all runs between the two in the order shown. */
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

/** Those of the selection that are shown: what is out of sight is never deleted. */
export const shownOf = (selection: Selection, order: readonly string[]): string[] =>
  order.filter((id) => selection.has(id));

/** Where the focus goes when these runs are gone: to the next that stays, else to the one before. */
export function survivor(order: readonly string[], gone: ReadonlySet<string>): string | null {
  const first = order.findIndex((id) => gone.has(id));
  if (first < 0) return null;
  return (
    order.slice(first).find((id) => !gone.has(id)) ??
    order.slice(0, first).findLast((id) => !gone.has(id)) ??
    null
  );
}

/** `3`, `3–5, 8`: numbers of runs, ascending. */
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

/** `run 3`, `runs 3–5, 8`. */
export const runsText = (numbers: readonly number[]): string =>
  `${numbers.length === 1 ? 'run' : 'runs'} ${numbersText(numbers)}`;

/** `1 run`, `4 runs`. */
export const countText = (n: number): string => `${n} ${n === 1 ? 'run' : 'runs'}`;
