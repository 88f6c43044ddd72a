import type { Marks, PsnTrack } from '../model/track';
import { Bars } from './bars';
import { binsOf, type Bins } from './bins';
import { columns, rings, shape } from './marks';
import { xOf, type Pen, type View } from './pen';

/** Space above and below a graph for the marks at its edges. */
const EDGE_PX = 10;

type ToY = (psn: number) => number;

/** Range of the visible values, at least a whole PSN. */
export function psnRange(track: PsnTrack, view: View): readonly [number, number] {
  let least = Infinity;
  let most = -Infinity;
  for (const { stream } of track.marks) {
    const [min, max] = stream.range(stream.at(view.from), stream.at(view.to));
    if (min < least) least = min;
    if (max > most) most = max;
  }
  return most < least ? [0, track.top] : [least, Math.max(most, least + 1)];
}

export const psnScale = (track: PsnTrack, view: View, height: number): ToY =>
  scaleOf(psnRange(track, view), height);

function scaleOf([low, high]: readonly [number, number], height: number): ToY {
  return (psn) => height - EDGE_PX - ((psn - low) / (high - low)) * (height - 2 * EDGE_PX);
}

/** Pixels per event from which each event has its own mark. */
const ROOM_PX = 3;
/** Pixels per column with exceptional events from which each event has its own mark. */
const CLOSE_PX = 6;
const LINE_PX = 1.5;

/** Draws the acknowledged PSN, which holds until the next ACK. */
function acknowledged(pen: Pen, { stream }: Marks, y: ToY): void {
  const { ctx, view } = pen;
  ctx.lineWidth = LINE_PX;
  ctx.beginPath();
  const end = stream.at(view.to);
  const first = Math.max(0, stream.at(view.from) - 1);
  let started = false;
  const point = (x: number, psn: number): void => {
    if (started) ctx.lineTo(x, y(psn));
    else ctx.moveTo(x, y(psn));
    started = true;
  };
  let held = NaN;
  if (first < stream.length && stream.time(first) < view.from) {
    held = stream.value(first);
    point(0, held);
  }
  columns(stream, view, (x, from, to) => {
    if (!Number.isNaN(held)) point(x, held);
    const [, max] = stream.range(from, to);
    point(x, max);
    held = stream.value(to - 1);
  });
  if (!Number.isNaN(held) && end > 0)
    point(Math.min(view.width, xOf(view, stream.time(stream.length - 1))), held);
  ctx.stroke();
}

/**
 * Draws the acknowledged PSN if most columns have an ACK: as rectangles, which are much faster than a line of a
 * thousand points.
 */
function acknowledgedColumns({ ctx }: Pen, bins: Bins, y: ToY): void {
  const { least, most } = bins.values;
  const bars = new Bars(ctx, 1);
  let held = NaN;
  for (let x = 0; x < bins.columns; x++) {
    const some = most[x]! >= least[x]!;
    const low = some ? (held <= least[x]! ? held : least[x]!) : held;
    const high = some ? most[x]! : held;
    if (some) held = high;
    if (Number.isNaN(high)) continue;
    const top = Math.round(y(high));
    bars.add(x, top, Math.round(y(low)) + 1 - top);
  }
  bars.end();
}

/** Draws a mark for each event, or for the first and the last event of a column. */
function eachMark(pen: Pen, marks: Marks, y: ToY): void {
  pen.ctx.lineWidth = 1.75;
  columns(marks.stream, pen.view, (x, from, to) => {
    const [min, max] = marks.stream.range(from, to);
    shape(pen, marks.shape, x + 0.5, y(min));
    if (max === min) return;
    shape(pen, marks.shape, x + 0.5, y(max));
    pen.ctx.fillRect(x, y(max) - 0.5, 1, Math.max(1, y(min) - y(max)));
  });
}

/** Draws a rectangle per column with events. `thick`: its smallest width and height in pixels. */
function markColumns({ ctx }: Pen, bins: Bins, y: ToY, thick: number): void {
  const { least, most } = bins.values;
  const bars = new Bars(ctx, thick);
  for (let x = 0; x < bins.columns; x++) {
    if (most[x]! < least[x]!) continue;
    // On whole pixels a rectangle needs no smoothing.
    const top = Math.round(y(most[x]!) - thick / 2);
    bars.add(x, top, Math.max(thick, Math.round(y(least[x]!)) - top));
  }
  bars.end();
}

function paintPoints(pen: Pen, marks: Marks, y: ToY): void {
  const { stream, exceptional } = marks;
  const { view } = pen;
  const shown = stream.at(view.to) - stream.at(view.from);
  if (shown === 0) return;
  if (shown * ROOM_PX < view.width) return eachMark(pen, marks, y);
  const bins = binsOf(stream, view);
  if (!exceptional) return markColumns(pen, bins, y, 1);
  let places = 0;
  for (let x = 0; x < bins.columns; x++) if (bins.edges[x] !== bins.edges[x + 1]) places++;
  if (places * CLOSE_PX < view.width) eachMark(pen, marks, y);
  else markColumns(pen, bins, y, 3);
}

const signed = (value: number): string => `${value < 0 ? '' : '+'}${value}`;

/** Draws the PSNs at the upper and lower end of the view, counted from the requester's first one. */
function paintEnds({ ctx, view, height, colors }: Pen, [low, high]: readonly [number, number]): void {
  ctx.textAlign = 'right';
  ctx.strokeStyle = colors.panel;
  ctx.lineWidth = 3;
  ctx.fillStyle = colors['ink-2'];
  for (const [value, y] of [
    [high, EDGE_PX],
    [low, height - 3],
  ] as const) {
    ctx.strokeText(signed(value), view.width - 4, y);
    ctx.fillText(signed(value), view.width - 4, y);
  }
  ctx.textAlign = 'left';
}

export function paintPsn(pen: Pen, track: PsnTrack): void {
  const { ctx, colors, view, height } = pen;
  const range = psnRange(track, view);
  const y = scaleOf(range, height);
  for (const marks of track.marks) {
    const { stream } = marks;
    ctx.strokeStyle = ctx.fillStyle = colors[marks.color];
    if (marks.shape !== 'tick') paintPoints(pen, marks, y);
    else if (stream.at(view.to) - stream.at(view.from) < view.width) acknowledged(pen, marks, y);
    else acknowledgedColumns(pen, binsOf(stream, view), y);
    rings(pen, marks, (i) => y(stream.value(i)));
  }
  paintEnds(pen, range);
}
