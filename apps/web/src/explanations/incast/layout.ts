/** Places in the figure of incast: clients at the left, one queue, the server at the right. Pure functions. */
import { choices, postedBy, waitedOf, waitOf, type IncastModel, type Load } from './model';

export interface IncastLayout {
  width: number;
  height: number;
  narrow: boolean;
  /** Rows of the clients. */
  client: { w: number; h: number; y: (index: number) => number };
  /** The whole place for the queue; its head is at the right. */
  queue: { x: number; y: number; w: number; h: number };
  server: { x: number; y: number; w: number; h: number };
  /** Place of so many messages ahead, and the messages ahead at a place. */
  x: (ahead: number) => number;
  aheadAt: (x: number) => number;
  /** Place of a wait, µs. */
  xOfWait: (wait: number) => number;
  ticks: number[];
}

const ROW = 24;
const QUEUE = 44;
const NARROW = 560;
/** Below the queue: its axis and what was measured. */
const BELOW = 96;

function stepOf(most: number, count: number): number {
  const power = 10 ** Math.floor(Math.log10(most / count));
  return power * ([1, 2, 5, 10].find((one) => one * power * count >= most) ?? 10);
}

export function layoutOf(model: IncastModel, load: Load, width: number): IncastLayout {
  const narrow = width < NARROW;
  const rows = Math.max(...choices(model).map(({ clients }) => clients));
  const left = narrow ? 92 : 150;
  const right = narrow ? 52 : 96;
  const queue = { x: left, y: 40, w: width - left - right, h: QUEUE };
  const most = Math.max(...choices(model).map((one) => postedBy(model, one)));
  const each = waitOf(model, load, 1);
  const waited = waitedOf(model, load);
  // Measured waits may be longer than the whole queue.
  const scale = Math.max(most, ...(waited ? [waited.mean / each, (waited.p90 ?? 0) / each] : [])) * 1.02;
  const head = queue.x + queue.w;
  const x = (ahead: number): number => head - (ahead / scale) * queue.w;
  const step = stepOf(scale * each, narrow ? 2 : 5);
  return {
    ...{ width, narrow, queue, x },
    height: Math.max(queue.y + QUEUE + BELOW, 16 + rows * (ROW + 6) + 12),
    client: { w: narrow ? 56 : 96, h: ROW, y: (index) => 16 + index * (ROW + 6) },
    server: { x: head + 10, y: queue.y - 6, w: right - 10, h: QUEUE + 12 },
    aheadAt: (at) => Math.round(((head - at) / queue.w) * scale),
    xOfWait: (wait) => x(wait / each),
    ticks: Array.from({ length: Math.floor((scale * each) / step) + 1 }, (_, i) => i * step),
  };
}
