import type { Arrows, LadderTrack } from '../model/track';
import { binsOf } from './bins';
import { shape } from './marks';
import { timeAt, xOf, type Item, type Pen, type View } from './pen';

const TOP_PX = 16;
const BOTTOM_PX = 8;
/** Pixels between packets from which arrows have heads, and from which they have names. */
const HEAD_PX = 8;
const NAME_PX = 110;
const NAME_GAP_PX = 4;
/** Height of the mark for a packet to its own lane. */
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
    // A packet that was captured at only one end has a single time.
    x1: Number.isNaN(arrived) ? x0 : xOf(pen.view, arrived),
    y1: from === to ? y0 - LOOP_PX : laneY(track, pen.height, to),
  };
}

function addHead(path: Path2D, { x0, y0, x1, y1 }: ReturnType<typeof ends>): void {
  const angle = Math.atan2(y1 - y0, x1 - x0);
  path.moveTo(x1, y1);
  path.lineTo(x1 - 6 * Math.cos(angle - 0.4), y1 - 6 * Math.sin(angle - 0.4));
  path.lineTo(x1 - 6 * Math.cos(angle + 0.4), y1 - 6 * Math.sin(angle + 0.4));
  path.closePath();
}

/** A name beside its arrow. Names are drawn after all arrows and do not overlap. */
interface Name {
  text: string;
  left: number;
  y: number;
  color: string;
  from: number;
  to: number;
}

/** True if the name would cover an exceptional arrow. Errors always stay visible. */
const covers = ({ arrows }: LadderTrack, view: View, { left, to }: Name): boolean =>
  arrows.some(
    ({ exceptional, stream }) =>
      exceptional && stream.at(timeAt(view, left)) < stream.at(timeAt(view, to + NAME_GAP_PX)),
  );

/** Arrows with the same look between the same lanes, of any QP. */
type Alike = readonly Arrows[];

const alike = new WeakMap<LadderTrack, readonly Alike[]>();

function alikeIn(track: LadderTrack): readonly Alike[] {
  const known = alike.get(track);
  if (known) return known;
  const groups = new Map<string, Arrows[]>();
  for (const arrows of track.arrows) {
    const { name, from, to } = arrows;
    const key = `${name} ${from} ${to}`;
    const group = groups.get(key);
    if (group) group.push(arrows);
    else groups.set(key, [arrows]);
  }
  const list = [...groups.values()];
  alike.set(track, list);
  return list;
}

/** Pixels between arrows from which each is drawn separately; below, pixel columns are drawn. */
const EACH_PX = 2;
/** Pixels between the columns of exceptional arrows below which they have no heads. */
const CLOSE_PX = 4;

/** Fills the columns that have packets, when many packets share a pixel. Adjacent columns are filled at once. */
function filled(pen: Pen, track: LadderTrack, group: Alike): void {
  const { ctx, view, height } = pen;
  const { from, to, exceptional, mark } = group[0]!;
  const marked = new Uint8Array(Math.ceil(view.width) + 2);
  const slanted = new Path2D();
  for (const arrows of group) {
    const { stream } = arrows;
    const { edges, columns } = binsOf(stream, view);
    for (let x = 0; x < columns; x++) {
      if (edges[x] === edges[x + 1] || marked[x] === 1) continue;
      const at = ends(pen, track, arrows, edges[x]!);
      if (Math.abs(at.x1 - at.x0) < 1) marked[x] = 1;
      else {
        slanted.moveTo(at.x0, at.y0);
        slanted.lineTo(at.x1, at.y1);
      }
    }
  }
  ctx.stroke(slanted);
  const y0 = laneY(track, height, from);
  const y1 = from === to ? y0 - LOOP_PX : laneY(track, height, to);
  const top = Math.min(y0, y1);
  const heads = new Path2D();
  const places = marked.reduce((sum, mark) => sum + mark, 0);
  const headed = exceptional && places * CLOSE_PX < view.width;
  for (let x = 0; x < marked.length; x++) {
    if (marked[x] === 0) continue;
    const start = x;
    while (marked[x + 1] === 1) x++;
    const wide = x + 1 - start;
    ctx.fillRect(start, top, exceptional ? Math.max(1.75, wide) : wide, Math.abs(y1 - y0));
    if (headed) addHead(heads, { x0: start + 0.5, y0, x1: start + 0.5, y1 });
    if (headed && mark) shape(pen, mark, start + 0.5, (y0 + y1) / 2);
  }
  ctx.fill(heads);
}

function each(
  pen: Pen,
  track: LadderTrack,
  arrows: Arrows,
  nameOf: (packet: number) => string,
  names: Name[],
): void {
  const { ctx, view, colors } = pen;
  const { stream } = arrows;
  const end = stream.at(view.to);
  const begin = stream.at(view.from);
  const room = end > begin ? view.width / (end - begin) : 0;
  ctx.setLineDash(arrows.dashed && room > 2 ? [4, 3] : []);
  const lines = new Path2D();
  const heads = new Path2D();
  const marked: [x: number, y: number][] = [];
  for (let i = begin; i < end; i++) {
    const at = ends(pen, track, arrows, i);
    lines.moveTo(at.x0, at.y0);
    lines.lineTo(at.x1, at.y1);
    if (room < HEAD_PX && !arrows.exceptional) continue;
    addHead(heads, at);
    if (arrows.mark) marked.push([(at.x0 + at.x1) / 2, (at.y0 + at.y1) / 2]);
    if (room * track.arrows.length < NAME_PX) continue;
    const left = (at.x0 + at.x1) / 2 + (arrows.mark ? 9 : 5);
    if (names.some((other) => other.from < left && left < other.to)) continue;
    const text = nameOf(stream.item(i));
    const name: Name = {
      ...{ text, left, y: (at.y0 + at.y1) / 2 + 4, color: colors[arrows.color] },
      ...{ from: left - NAME_GAP_PX, to: left + ctx.measureText(text).width + NAME_GAP_PX },
    };
    if (name.to > view.width || names.some((other) => other.from < name.to && name.from < other.to)) continue;
    if (!covers(track, view, name)) names.push(name);
  }
  ctx.stroke(lines);
  ctx.fill(heads);
  ctx.setLineDash([]);
  for (const [x, y] of marked) shape(pen, arrows.mark!, x, y);
}

function arrowsOf(
  pen: Pen,
  track: LadderTrack,
  group: Alike,
  nameOf: (packet: number) => string,
  names: Name[],
): void {
  const { ctx, view, colors } = pen;
  const { color, exceptional } = group[0]!;
  ctx.strokeStyle = ctx.fillStyle = colors[color];
  ctx.lineWidth = exceptional ? 1.75 : 1;
  const shown = group.reduce((sum, { stream }) => sum + stream.at(view.to) - stream.at(view.from), 0);
  if (shown === 0) return;
  if (shown * EACH_PX > view.width) filled(pen, track, group);
  else for (const arrows of group) each(pen, track, arrows, nameOf, names);
}

function chosenArrows(pen: Pen, track: LadderTrack): void {
  const { ctx, colors, chosen } = pen;
  ctx.strokeStyle = colors.accent;
  ctx.lineWidth = 2.5;
  for (const packet of chosen.packet)
    for (const arrows of track.arrows) {
      const i = arrows.stream.find(packet);
      if (i < 0) continue;
      const at = ends(pen, track, arrows, i);
      ctx.beginPath();
      ctx.moveTo(at.x0, at.y0);
      ctx.lineTo(at.x1, at.y1);
      ctx.stroke();
    }
}

export function paintLadder(pen: Pen, track: LadderTrack, nameOf: (packet: number) => string): void {
  const { ctx, colors, view, height } = pen;
  ctx.strokeStyle = colors['line-strong'];
  ctx.lineWidth = 1;
  track.lanes.forEach((_, lane) => {
    const y = Math.round(laneY(track, height, lane)) + 0.5;
    ctx.beginPath();
    ctx.moveTo(0, y);
    ctx.lineTo(view.width, y);
    ctx.stroke();
  });
  const names: Name[] = [];
  for (const group of alikeIn(track)) arrowsOf(pen, track, group, nameOf, names);
  chosenArrows(pen, track);
  ctx.lineWidth = 3;
  ctx.strokeStyle = colors.panel;
  for (const { text, left, y, color } of names) {
    ctx.strokeText(text, left, y);
    ctx.fillStyle = color;
    ctx.fillText(text, left, y);
  }
  track.lanes.forEach((name, lane) => {
    const y = laneY(track, height, lane) - 4;
    ctx.strokeText(name, 4, y);
    ctx.fillStyle = colors['ink-2'];
    ctx.fillText(name, 4, y);
  });
}

const REACH_PX = 6;

export function hitLadder(track: LadderTrack, view: View, height: number, x: number, y: number): Item | null {
  let best: { item: Item; away: number } | null = null;
  for (const arrows of track.arrows) {
    const { stream } = arrows;
    // An arrow leaves before the time at the pointer, by its slant.
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
