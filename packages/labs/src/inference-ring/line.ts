/** Time of a batch as a line over its size. Pure functions. */

export interface Line {
  /** Time per batch of any size; `each` is the time per request. Both in the unit of the times. */
  fixed: number;
  each: number;
}

/** The line of least squares of the relative errors, so that small batches count as much as large ones. */
export function lineOf(points: readonly { batch: number; time: number }[]): Line {
  let [w, wx, wy, wxx, wxy] = [0, 0, 0, 0, 0];
  for (const { batch, time } of points) {
    const weight = 1 / time ** 2;
    w += weight;
    wx += weight * batch;
    wy += weight * time;
    wxx += weight * batch ** 2;
    wxy += weight * batch * time;
  }
  const each = (w * wxy - wx * wy) / (w * wxx - wx ** 2);
  return { fixed: (wy - each * wx) / w, each };
}

/** Largest deviation of the line from a measured time, as a part of that measured time, and at which batch. */
export function deviationOf(
  line: Line,
  points: readonly { batch: number; time: number }[],
): { part: number; batch: number } {
  const all = points.map(({ batch, time }) => ({
    batch,
    part: Math.abs(timeOf(line, batch) / time - 1),
  }));
  return all.reduce((a, b) => (b.part > a.part ? b : a));
}

/** The batch that reaches this part of the line’s limit, 1 / each; null if the line has no cost of a batch. */
export function batchAt({ fixed, each }: Line, part: number): number | null {
  return fixed > 0 && each > 0 ? ((part / (1 - part)) * fixed) / each : null;
}

export const timeOf = ({ fixed, each }: Line, batch: number): number => fixed + batch * each;
