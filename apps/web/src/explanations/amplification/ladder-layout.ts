/** Places of a ladder: a row for each PSN, time from left to right, long waits cut out. Pure functions. */
import { endOf, type Ladder } from './ladder';

/** A wait that is cut out of the axis. */
export interface Cut {
  from: number;
  to: number;
  /** Middle of its mark. */
  x: number;
}

export interface LadderLayout {
  width: number;
  height: number;
  /** Height of a row, and where the rows begin and end. */
  row: number;
  top: number;
  bottom: number;
  left: number;
  right: number;
  /** First and last PSN. */
  first: number;
  last: number;
  x: (t: number) => number;
  y: (psn: number) => number;
  cuts: Cut[];
  ticks: number[];
  end: number;
}

/** Waits of at least this time, and of this part of the whole, are cut. ns. */
const LONG = 400_000;
const PART = 0.15;
/** Time that stays on each side of a cut: part of what is not cut. */
const MARGIN = 0.04;
const CUT_WIDTH = 30;
const NARROW = 560;

export const isNarrow = (width: number): boolean => width < NARROW;

/** Times at which anything was recorded, in order. */
const marksOf = ({ packets, answers }: Ladder): number[] =>
  [...packets, ...answers]
    .flatMap(({ sent, arrived }) => (arrived === null ? [sent] : [sent, arrived]))
    .sort((a, b) => a - b);

function waitsOf(ladder: Ladder): { from: number; to: number }[] {
  const marks = marksOf(ladder);
  const least = Math.max(LONG, PART * (marks.at(-1)! - marks[0]!));
  const waits = marks.slice(1).flatMap((to, i) => (to - marks[i]! >= least ? [{ from: marks[i]!, to }] : []));
  const rest = marks.at(-1)! - marks[0]! - waits.reduce((sum, { from, to }) => sum + to - from, 0);
  return waits.map(({ from, to }) => ({ from: from + rest * MARGIN, to: to - rest * MARGIN }));
}

/** A round step of about `about`: 1, 2 or 5 times a power of ten. */
function step(about: number): number {
  const power = 10 ** Math.floor(Math.log10(about));
  return power * ([1, 2, 5].find((one) => one * power >= about) ?? 10);
}

export function layoutOf(ladder: Ladder, width: number): LadderLayout {
  const narrow = isNarrow(width);
  const psns = ladder.packets.map(({ psn }) => psn);
  const [first, last] = [Math.min(...psns), Math.max(...psns)];
  const row = narrow ? 24 : 20;
  const [top, left, right] = [24, 34, width - (narrow ? 12 : 24)];
  const bottom = top + (last - first + 1) * row;
  const start = Math.min(...ladder.packets.map(({ sent }) => sent));
  const end = Math.max(endOf(ladder), start + 1);
  const waits = waitsOf(ladder);
  const shown = end - start - waits.reduce((sum, { from, to }) => sum + to - from, 0);
  const scale = (right - left - waits.length * CUT_WIDTH) / shown;
  const x = (t: number): number => {
    let at = left + (t - start) * scale;
    for (const { from, to } of waits) {
      if (t <= from) break;
      const inside = Math.min(1, (t - from) / (to - from));
      at += inside * (CUT_WIDTH - (to - from) * scale);
    }
    return at;
  };
  const every = step(shown / (narrow ? 3 : 6));
  const before = waits[0]?.from ?? end;
  const ticks: number[] = [];
  for (let t = start; t <= before; t += every) ticks.push(t);
  return {
    ...{ width, height: bottom + 26, row, top, bottom, left, right, first, last, x, end, ticks },
    y: (psn) => top + (psn - first + 0.5) * row,
    cuts: waits.map(({ from, to }) => ({ from, to, x: (x(from) + x(to)) / 2 })),
  };
}
