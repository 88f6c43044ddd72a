import type { Arrows, LadderTrack } from '../model/track';
import { columns } from './marks';
import { timeAt, xOf, type Item, type Pen, type View } from './pen';

const TOP_PX = 16;
const BOTTOM_PX = 8;
/** From so many pixels between packets on, arrows have heads; and from so many on, names. */
const HEAD_PX = 8;
const NAME_PX = 110;
/** A packet that goes to its own lane is drawn as a mark of this height. */
const LOOP_PX = 10;

const laneY = ({ lanes }: LadderTrack, height: number, lane: number): number =>
  lanes.length < 2 ? height / 2 : TOP_PX + (lane * (height - TOP_PX - BOTTOM_PX)) / (lanes.length - 1);

function ends(
  pen: Pick<Pen, 'view' | 'height'>,
  track: LadderTrack,
  { from, to, stream }: Arrows,
  i: number,
) {
  const x0 = xOf(pen.view, stream.time(i));
  const arrived = stream.value(i);
  const y0 = laneY(track, pen.height, from);
  return {
    x0,
    y0,
    // Captured at one end only, a packet has one time.
    x1: Number.isNaN(arrived) ? x0 : xOf(pen.view, arrived),
    y1: from === to ? y0 - LOOP_PX : laneY(track, pen.height, to),
  };
}

function head({ ctx }: Pen, { x0, y0, x1, y1 }: ReturnType<typeof ends>): void {
  const angle = Math.atan2(y1 - y0, x1 - x0);
  ctx.beginPath();
  ctx.moveTo(x1, y1);
  ctx.lineTo(x1 - 6 * Math.cos(angle - 0.4), y1 - 6 * Math.sin(angle - 0.4));
  ctx.lineTo(x1 - 6 * Math.cos(angle + 0.4), y1 - 6 * Math.sin(angle + 0.4));
  ctx.closePath();
  ctx.fill();
}

/** Names that are drawn already: those of others keep away from them. */
type Taken = { from: number; to: number }[];

function arrowsOf(
  pen: Pen,
  track: LadderTrack,
  arrows: Arrows,
  nameOf: (packet: number) => string,
  taken: Taken,
): void {
  const { ctx, view, colours } = pen;
  const { stream } = arrows;
  const shown = stream.at(view.to) - stream.at(view.from);
  const room = shown > 0 ? view.width / shown : 0;
  ctx.strokeStyle = ctx.fillStyle = colours[arrows.colour];
  ctx.lineWidth = arrows.exceptional ? 1.75 : 1;
  ctx.setLineDash(arrows.dashed && room > 2 ? [4, 3] : []);
  columns(stream, view, (_, from) => {
    const at = ends(pen, track, arrows, from);
    ctx.beginPath();
    ctx.moveTo(at.x0, at.y0);
    ctx.lineTo(at.x1, at.y1);
    ctx.stroke();
    if (room < HEAD_PX && !arrows.exceptional) return;
    head(pen, at);
    if (room * track.arrows.length < NAME_PX) return;
    const name = nameOf(stream.item(from));
    const left = (at.x0 + at.x1) / 2 + 5;
    const place = { from: left - 4, to: left + ctx.measureText(name).width + 4 };
    if (place.to > view.width || taken.some((other) => other.from < place.to && place.from < other.to))
      return;
    taken.push(place);
    ctx.fillText(name, left, (at.y0 + at.y1) / 2 + 4);
  });
  ctx.setLineDash([]);
  if (pen.chosen.packet.size === 0) return;
  ctx.strokeStyle = colours.accent;
  ctx.lineWidth = 2.5;
  for (const packet of pen.chosen.packet) {
    const i = stream.find(packet);
    if (i < 0) continue;
    const at = ends(pen, track, arrows, i);
    ctx.beginPath();
    ctx.moveTo(at.x0, at.y0);
    ctx.lineTo(at.x1, at.y1);
    ctx.stroke();
  }
}

export function paintLadder(pen: Pen, track: LadderTrack, nameOf: (packet: number) => string): void {
  const { ctx, colours, view, height } = pen;
  ctx.strokeStyle = colours['line-strong'];
  ctx.lineWidth = 1;
  track.lanes.forEach((_, lane) => {
    const y = Math.round(laneY(track, height, lane)) + 0.5;
    ctx.beginPath();
    ctx.moveTo(0, y);
    ctx.lineTo(view.width, y);
    ctx.stroke();
  });
  const taken: Taken = [];
  for (const arrows of track.arrows) arrowsOf(pen, track, arrows, nameOf, taken);
  ctx.lineWidth = 3;
  ctx.strokeStyle = colours.panel;
  track.lanes.forEach((name, lane) => {
    const y = laneY(track, height, lane) - 4;
    ctx.strokeText(name, 4, y);
    ctx.fillStyle = colours['ink-2'];
    ctx.fillText(name, 4, y);
  });
}

const REACH_PX = 6;

export function hitLadder(track: LadderTrack, view: View, height: number, x: number, y: number): Item | null {
  let best: { item: Item; away: number } | null = null;
  for (const arrows of track.arrows) {
    const { stream } = arrows;
    // An arrow leaves before it is where the pointer is: by as much as it is slanted.
    const from = stream.at(timeAt(view, x - 200));
    const to = stream.at(timeAt(view, x + REACH_PX));
    for (let i = Math.max(from, to - 2000); i < to; i++) {
      const at = ends({ view, height }, track, arrows, i);
      if (y < Math.min(at.y0, at.y1) - REACH_PX || y > Math.max(at.y0, at.y1) + REACH_PX) continue;
      const part = at.y1 === at.y0 ? 0 : (y - at.y0) / (at.y1 - at.y0);
      const away = Math.abs(at.x0 + part * (at.x1 - at.x0) - x);
      if (away > REACH_PX || (best && away >= best.away)) continue;
      best = { away, item: { of: 'packet', ref: stream.item(i), t: stream.time(i), text: arrows.name } };
    }
  }
  return best?.item ?? null;
}
