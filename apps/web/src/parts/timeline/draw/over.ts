import { text, time } from '../../../format/number';
import { ticksOf, tickStep } from '../../../format/time-text';
import type { Cut } from '../model/time-axis';
import type { TimelineState } from '../timeline-store';
import { axisOf, lengthOf, xOf, type Pen, type View } from './pen';

/** The line of the pointer and the marked stretch, over every track. */
export function paintOver({ ctx, view, height, colors }: Pen, { hover, area }: TimelineState): void {
  if (area) {
    const x0 = xOf(view, area[0]);
    const x1 = xOf(view, area[1]);
    ctx.globalAlpha = 0.16;
    ctx.fillStyle = colors.accent;
    ctx.fillRect(x0, 0, x1 - x0, height);
    ctx.globalAlpha = 1;
  }
  if (hover === null) return;
  const x = Math.round(xOf(view, hover)) + 0.5;
  if (x < 0 || x > view.width) return;
  ctx.strokeStyle = colors['ink-3'];
  ctx.lineWidth = 1;
  ctx.beginPath();
  ctx.moveTo(x, 0);
  ctx.lineTo(x, height);
  ctx.stroke();
}

/** A time along the axis, and its words. */
interface Tick {
  t: number;
  words: string;
}

/** Times of the axis, about so many in view. On a cut axis, those of each part with room for one. */
function ticksIn(view: View): Tick[] {
  const most = Math.max(2, Math.floor(view.width / TICK_PX));
  const { cuts } = axisOf(view);
  if (cuts.length === 0) {
    const { unit, ticks } = ticksOf(view.from, view.to, most);
    return ticks.map(({ t, text: value }) => ({ t, words: `${value} ${unit}` }));
  }
  const step = tickStep(lengthOf(view), most);
  const digits = Math.min(9, Math.max(0, Math.ceil(-Math.log10(step / 1e9) - 1e-9)));
  const out: Tick[] = [];
  const edges = [view.from, ...cuts.flatMap(({ from, to }) => [from, to]), view.to];
  for (let i = 0; i < edges.length; i += 2) {
    const [from, to] = [Math.max(view.from, edges[i]!), Math.min(view.to, edges[i + 1]!)];
    for (let k = Math.ceil(from / step); k * step <= to; k++)
      out.push({ t: k * step, words: `${((k * step) / 1e9).toFixed(digits)} s` });
  }
  return out;
}

/** Shortest cut whose length is written and that has two edges, ns: a pause of the reader. */
const TOLD_NS = 0.1e9;

const isTold = ({ from, to }: Cut): boolean => to - from >= TOLD_NS;

/** What is cut out of the view, as bands with broken edges; short cuts as one faint line. */
function paintCuts({ ctx, view, height, colors }: Pen): void {
  const shown = axisOf(view).cuts.filter(({ from, to }) => to >= view.from && from <= view.to);
  if (shown.length === 0) return;
  ctx.lineWidth = 1;
  ctx.setLineDash([2, 3]);
  for (const cut of shown) {
    const [x0, x1] = [xOf(view, cut.from), xOf(view, cut.to)];
    ctx.fillStyle = colors.hover;
    ctx.fillRect(x0, 0, Math.max(1, x1 - x0), height);
    ctx.strokeStyle = colors[isTold(cut) ? 'line-strong' : 'line'];
    ctx.beginPath();
    for (const x of isTold(cut) ? [x0, x1] : [(x0 + x1) / 2]) {
      ctx.moveTo(Math.round(x) + 0.5, 0);
      ctx.lineTo(Math.round(x) + 0.5, height);
    }
    ctx.stroke();
  }
  ctx.setLineDash([]);
}

/** Faint lines through the tracks at the times of the ruler. */
export function paintGrid(pen: Pen): void {
  const { ctx, view, height, colors } = pen;
  paintCuts(pen);
  ctx.fillStyle = colors.grid;
  for (const { t } of ticksIn(view)) ctx.fillRect(Math.round(xOf(view, t)), 0, 1, height);
}

const TICK_PX = 120;

/** Times along the head of the tracks, and how long cut pauses were. */
export function paintRuler(pen: Pen): void {
  const { ctx, view, height, colors } = pen;
  paintCuts(pen);
  const taken: [from: number, to: number][] = [];
  const write = (words: string, x: number): void => {
    const wide = ctx.measureText(words).width;
    const left = Math.min(view.width - wide - 2, Math.max(2, x - wide / 2));
    if (taken.some(([from, to]) => left < to + 8 && left + wide > from - 8)) return;
    // No line crosses a text.
    ctx.strokeText(words, left, height - 8);
    ctx.fillText(words, left, height - 8);
    taken.push([left, left + wide]);
  };
  ctx.strokeStyle = colors.panel;
  ctx.lineWidth = 5;
  ctx.lineJoin = 'round';
  ctx.fillStyle = colors['ink-3'];
  const told = axisOf(view).cuts.filter((cut) => isTold(cut) && cut.from >= view.from && cut.to <= view.to);
  for (const { from, to } of told) write(`⋯ ${text(time(to - from))}`, (xOf(view, from) + xOf(view, to)) / 2);
  ctx.fillStyle = colors['ink-2'];
  for (const { t, words } of ticksIn(view)) {
    const x = Math.round(xOf(view, t));
    ctx.fillRect(x, height - 5, 1, 5);
    write(words, x);
  }
}
