/** Places in the figure of window and delay: the path above, the curve below. Pure functions. */
import type { Path, WindowModel } from './model';

export interface WindowLayout {
  width: number;
  height: number;
  narrow: boolean;
  /** The path between the hosts. */
  pipe: { x: number; y: number; w: number; h: number };
  plot: { x: number; y: number; w: number; h: number };
  /** Place of a window on the axis, and the window at a place. */
  x: (window: number) => number;
  windowAt: (x: number) => number;
  y: (gbps: number) => number;
  /** Ticks of the axes. */
  windows: number[];
  rates: number[];
}

const PIPE_HEIGHT = 34;
const PLOT_HEIGHT = 240;
const NARROW = 560;
const STEPS = 4;

/** Tick of the axis of rates: 1, 2 or 5 times a power of ten. */
function stepOf(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most / STEPS));
  return power * ([1, 2, 5, 10].find((one) => one * power * STEPS >= most) ?? 10);
}

export function layoutOf({ link, paths }: WindowModel, { largest }: Path, width: number): WindowLayout {
  const narrow = width < NARROW;
  const side = narrow ? 64 : 132;
  const pipe = { x: side, y: 40, w: width - 2 * side, h: PIPE_HEIGHT };
  const plot = { x: 44, y: 136, w: width - 44 - (narrow ? 14 : 28), h: PLOT_HEIGHT };
  const most = Math.max(link, ...paths.flatMap(({ points }) => points.map(({ gbps }) => gbps))) * 1.12;
  const [every, step] = [largest / (narrow ? 4 : 8), stepOf(most)];
  const windows = Array.from({ length: Math.floor(largest / every) + 1 }, (_, i) => i * every);
  return {
    ...{ width, narrow, pipe, plot, height: plot.y + plot.h + 44 },
    x: (window) => plot.x + (window / largest) * plot.w,
    windowAt: (x) => Math.round(((x - plot.x) / plot.w) * largest),
    y: (gbps) => plot.y + plot.h * (1 - gbps / most),
    windows,
    rates: Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step),
  };
}

/** Least width of a message that is drawn by itself. */
const LEAST = 5;

/** Places for messages in the path; null: too narrow to draw one by one. */
export const cellsOf = (
  { needed }: Pick<Path, 'needed'>,
  { pipe }: Pick<WindowLayout, 'pipe'>,
): number | null => (pipe.w / needed >= LEAST ? Math.ceil(needed) : null);
