import type { Stream } from '../model/stream';
import type { Marks, MarkTrack, PsnTrack } from '../model/track';
import { timeAt, xOf, type Item, type Pen, type View } from './pen';

/** Room above and below a graph for the marks at its edges. */
const EDGE_PX = 10;

export function shape({ ctx }: Pick<Pen, 'ctx'>, kind: Marks['shape'], x: number, y: number, size = 4): void {
  ctx.beginPath();
  switch (kind) {
    case 'dot':
      ctx.arc(x, y, size * 0.55, 0, 7);
      ctx.fill();
      return;
    case 'tick':
      ctx.moveTo(x, y - size);
      ctx.lineTo(x, y + size);
      break;
    case 'cross':
      ctx.moveTo(x - size, y - size);
      ctx.lineTo(x + size, y + size);
      ctx.moveTo(x - size, y + size);
      ctx.lineTo(x + size, y - size);
      break;
    case 'triangle':
      ctx.moveTo(x, y - size);
      ctx.lineTo(x + size, y + size);
      ctx.lineTo(x - size, y + size);
      ctx.closePath();
      ctx.fill();
      return;
  }
  ctx.stroke();
}

/** Visits the events of a stretch, a pixel column at a time: [from, to) are the events in it. */
export function columns(
  stream: Stream,
  view: View,
  visit: (x: number, from: number, to: number) => void,
): void {
  const end = stream.at(view.to);
  for (let i = stream.at(view.from); i < end;) {
    const x = Math.floor(xOf(view, stream.time(i)));
    const next = Math.max(i + 1, Math.min(end, stream.at(timeAt(view, x + 1), i)));
    visit(x, i, next);
    i = next;
  }
}

function ring({ ctx, colours }: Pen, x: number, y: number): void {
  ctx.strokeStyle = colours.accent;
  ctx.lineWidth = 2;
  ctx.beginPath();
  ctx.arc(x, y, 6, 0, 7);
  ctx.stroke();
}

/** Rings around what is chosen, which may be one of many in its pixel. */
export function rings(
  pen: Pen,
  { stream, of }: Pick<Marks, 'stream' | 'of'>,
  yOf: (i: number) => number,
): void {
  const chosen = pen.chosen[of];
  if (chosen.size === 0) return;
  for (const item of chosen) {
    const i = stream.find(item);
    if (i >= 0) ring(pen, xOf(pen.view, stream.time(i)), yOf(i));
  }
}

export function paintMarks(pen: Pen, track: MarkTrack): void {
  const { ctx, colours, view, height } = pen;
  const y = height / 2;
  for (const marks of track.marks) {
    ctx.strokeStyle = ctx.fillStyle = colours[marks.colour];
    ctx.lineWidth = 1.75;
    columns(marks.stream, view, (x) => shape(pen, marks.shape, x + 0.5, y));
    rings(pen, marks, () => y);
  }
}

/** The values that are in sight, with room above and below; a whole PSN at least. */
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

export function psnScale(track: PsnTrack, view: View, height: number): (psn: number) => number {
  const [low, high] = psnRange(track, view);
  return (psn) => height - EDGE_PX - ((psn - low) / (high - low)) * (height - 2 * EDGE_PX);
}

/** From so many pixels for each event on, each has its own mark. */
const ROOM_PX = 3;

/** What was acknowledged holds until more is. */
function acknowledged(pen: Pen, { stream }: Marks, y: (psn: number) => number): void {
  const { ctx, view } = pen;
  ctx.lineWidth = 1.5;
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

export function paintPsn(pen: Pen, track: PsnTrack): void {
  const { ctx, colours, view, height } = pen;
  const y = psnScale(track, view, height);
  for (const marks of track.marks) {
    const { stream } = marks;
    ctx.strokeStyle = ctx.fillStyle = colours[marks.colour];
    if (marks.shape === 'tick') {
      acknowledged(pen, marks, y);
    } else {
      const shown = stream.at(view.to) - stream.at(view.from);
      const each = marks.exceptional || shown * ROOM_PX < view.width;
      ctx.lineWidth = each ? 1.75 : 1;
      columns(stream, view, (x, from, to) => {
        const [min, max] = stream.range(from, to);
        if (each) {
          shape(pen, marks.shape, x + 0.5, y(min));
          if (max === min) return;
          shape(pen, marks.shape, x + 0.5, y(max));
        }
        ctx.fillRect(x, y(max) - 0.5, 1, Math.max(1, y(min) - y(max)));
      });
    }
    rings(pen, marks, (i) => y(stream.value(i)));
  }
}

const REACH_PX = 6;
/** Where more marks share a pixel, nobody can point at one of them. */
const MOST_NEAR = 2000;

/** The mark nearest to a place, within reach. */
export function hitMarks(
  marks: readonly Marks[],
  view: View,
  x: number,
  y: number,
  yOf: (marks: Marks, i: number) => number,
): Item | null {
  let best: { item: Item; away: number } | null = null;
  for (const one of marks) {
    const { stream } = one;
    const middle = stream.at(timeAt(view, x));
    const end = Math.min(middle + MOST_NEAR, stream.at(timeAt(view, x + REACH_PX), middle));
    for (let i = Math.max(middle - MOST_NEAR, stream.at(timeAt(view, x - REACH_PX))); i < end; i++) {
      const away = Math.hypot(xOf(view, stream.time(i)) - x, yOf(one, i) - y);
      if (away > 2 * REACH_PX || (best && away >= best.away)) continue;
      best = { away, item: { of: one.of, ref: stream.item(i), t: stream.time(i), text: one.name } };
    }
  }
  return best?.item ?? null;
}
