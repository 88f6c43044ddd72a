/** Places of a chart's labels. No label covers another one, an axis, or a line. */

/** Height of a line of text in a chart, pixels. */
export const LINE_HEIGHT = 14;

/** Copies of the labels from top to bottom, all within the range. Each is at least a line below the one before. */
export function movedApart<T extends { top: number }>(
  labels: readonly T[],
  { from, to }: { from: number; to: number },
): T[] {
  const placed = [...labels].sort((a, b) => a.top - b.top).map((one) => ({ ...one }));
  let least = from;
  for (const one of placed) {
    one.top = Math.max(one.top, least);
    least = one.top + LINE_HEIGHT;
  }
  // Labels that were pushed below the end push those above them up.
  let most = to;
  for (const one of placed.reverse()) {
    one.top = Math.min(one.top, most);
    most = one.top - LINE_HEIGHT;
  }
  return placed.reverse();
}

export interface Placed {
  left: number;
  /** Row number; 0 is nearest to the plot. */
  row: number;
}

/** Pixels between two labels of a row. */
const GAP = 10;

/**
 * Rows of labels above a plot, each label centered over its place as far as the range allows. `taken` is the range of
 * the axis title in the lowest row. Returns the places in the order of the labels.
 */
export function rowsAbove(
  labels: readonly { at: number; width: number }[],
  range: readonly [number, number],
  taken: readonly [number, number],
): Placed[] {
  const rows: (readonly [number, number])[][] = [[taken]];
  return labels.map(({ at, width }) => {
    const left = Math.max(range[0], Math.min(at - width / 2, range[1] - width));
    const free = (row: (typeof rows)[number]): boolean =>
      row.every(([from, to]) => left + width + GAP <= from || left >= to + GAP);
    let row = rows.findIndex(free);
    if (row < 0) row = rows.push([]) - 1;
    rows[row]!.push([left, left + width]);
    return { left, row };
  });
}
