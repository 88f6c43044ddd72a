import type { Stream } from '../model/stream';
import type { Marks, MarkTrack, Shape } from '../model/track';
import { timeAt, xOf, type Item, type Pen, type View } from './pen';

export function shape({ ctx }: Pick<Pen, 'ctx'>, kind: Shape, x: number, y: number, size = 4): void {
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
    case 'diamond':
      ctx.moveTo(x, y - size);
      ctx.lineTo(x + size, y);
      ctx.lineTo(x, y + size);
      ctx.lineTo(x - size, y);
      ctx.closePath();
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

/** Visits the events in view by pixel column: [from, to) are those in the column. */
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

function ring({ ctx, colors }: Pen, x: number, y: number): void {
  ctx.strokeStyle = colors.accent;
  ctx.lineWidth = 2;
  ctx.beginPath();
  ctx.arc(x, y, 6, 0, 7);
  ctx.stroke();
}

/** Rings around the chosen events, which may be among many in their pixel. */
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
  const { ctx, colors, view, height } = pen;
  const y = height / 2;
  for (const marks of track.marks) {
    ctx.strokeStyle = ctx.fillStyle = colors[marks.color];
    ctx.lineWidth = 1.75;
    columns(marks.stream, view, (x) => shape(pen, marks.shape, x + 0.5, y));
    rings(pen, marks, () => y);
  }
}

const REACH_PX = 6;
/** Most marks near the pointer that are searched: with more in a pixel, none can be picked individually. */
const MOST_NEAR = 2000;

/** Nearest mark to a position, within reach. */
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
