import { ticksOf } from '../../../format/time-text';
import type { TimelineState } from '../timeline-store';
import { xOf, type Pen } from './pen';

/** The line of the pointer and the marked stretch, over every track. */
export function paintOver({ ctx, view, height, colours }: Pen, { hover, area }: TimelineState): void {
  if (area) {
    const x0 = xOf(view, area[0]);
    const x1 = xOf(view, area[1]);
    ctx.globalAlpha = 0.16;
    ctx.fillStyle = colours.accent;
    ctx.fillRect(x0, 0, x1 - x0, height);
    ctx.globalAlpha = 1;
  }
  if (hover === null) return;
  const x = Math.round(xOf(view, hover)) + 0.5;
  if (x < 0 || x > view.width) return;
  ctx.strokeStyle = colours['ink-3'];
  ctx.lineWidth = 1;
  ctx.beginPath();
  ctx.moveTo(x, 0);
  ctx.lineTo(x, height);
  ctx.stroke();
}

/** Faint lines through the tracks at the times of the ruler. */
export function paintGrid({ ctx, view, height, colours }: Pen): void {
  ctx.fillStyle = colours.grid;
  for (const { t } of ticksOf(view.from, view.to, ticksIn(view.width)).ticks)
    ctx.fillRect(Math.round(xOf(view, t)), 0, 1, height);
}

const TICK_PX = 120;
export const ticksIn = (width: number): number => Math.max(2, Math.floor(width / TICK_PX));

/** Times along the head of the tracks. */
export function paintRuler(pen: Pen): void {
  const { ctx, view, height, colours } = pen;
  const { unit, ticks } = ticksOf(view.from, view.to, ticksIn(view.width));
  ctx.fillStyle = colours['ink-2'];
  let end = -Infinity;
  for (const { t, text } of ticks) {
    const x = Math.round(xOf(view, t));
    ctx.fillRect(x, height - 5, 1, 5);
    const words = `${text} ${unit}`;
    const wide = ctx.measureText(words).width;
    const left = Math.min(view.width - wide - 2, Math.max(2, x - wide / 2));
    if (left < end + 8) continue;
    ctx.fillText(words, left, height - 8);
    end = left + wide;
  }
}
