import { holding } from '../model/lines';
import type { Line, LineTrack } from '../model/track';
import { xOf, type Pen } from './pen';

const EDGE_PX = 4;

function steps(pen: Pen, { lines, top }: LineTrack): void {
  const { ctx, colors, view, height } = pen;
  const y = (v: number): number => height - EDGE_PX - (v / top) * (height - 2 * EDGE_PX);
  for (const line of lines) hatchUnknown(pen, line);
  for (const { t, y: values, color } of lines) {
    ctx.strokeStyle = colors[color];
    ctx.lineWidth = 1.5;
    ctx.beginPath();
    let i = holding(t, view.from);
    let level = i < 0 ? 0 : values[i]!;
    if (!Number.isNaN(level)) ctx.moveTo(0, y(level));
    for (i++; i < t.length && t[i]! <= view.to;) {
      const x = Math.floor(xOf(view, t[i]!));
      let [min, max] = [Infinity, -Infinity];
      const take = (value: number): void => {
        if (value < min) min = value;
        if (value > max) max = value;
      };
      if (!Number.isNaN(level)) ctx.lineTo(x, y(level));
      take(level);
      // All changes in a pixel are a line from the smallest to the largest value.
      for (; i < t.length && Math.floor(xOf(view, t[i]!)) === x; i++) take((level = values[i]!));
      if (min < max) {
        ctx.moveTo(x, y(min));
        ctx.lineTo(x, y(max));
      }
      // The line starts over after an unknown value.
      if (!Number.isNaN(level)) ctx.moveTo(x, y(level));
    }
    if (!Number.isNaN(level)) ctx.lineTo(view.width, y(level));
    ctx.stroke();
  }
}

const HATCH_PX = 6;

/** Hatches the stretches of time in which a line is unknown. */
function hatchUnknown({ ctx, colors, view, height }: Pen, { t, y }: Line): void {
  for (let i = Math.max(0, holding(t, view.from)); i < t.length && t[i]! <= view.to; i++) {
    if (!Number.isNaN(y[i]!)) continue;
    const from = Math.max(0, xOf(view, t[i]!));
    const to = i + 1 < t.length ? Math.min(view.width, xOf(view, t[i + 1]!)) : view.width;
    ctx.save();
    ctx.beginPath();
    ctx.rect(from, 0, to - from, height);
    ctx.clip();
    ctx.strokeStyle = colors['line-strong'];
    ctx.lineWidth = 1;
    ctx.beginPath();
    // On a grid of the whole track, so that neighbors meet.
    for (let x = Math.floor((from - height) / HATCH_PX) * HATCH_PX; x < to; x += HATCH_PX) {
      ctx.moveTo(x, height);
      ctx.lineTo(x + height, 0);
    }
    ctx.stroke();
    ctx.restore();
  }
}

function stack(pen: Pen, { lines, top, width = 0 }: LineTrack): void {
  const { ctx, colors, view, height } = pen;
  const scale = (height - 2 * EDGE_PX) / top;
  const t = lines[0]?.t;
  if (!t) return;
  for (let i = Math.max(0, holding(t, view.from)); i < t.length && t[i]! - width <= view.to; i++) {
    // On whole pixels, adjacent bars leave no gap.
    const x0 = Math.round(xOf(view, t[i]! - width));
    const x1 = Math.round(xOf(view, t[i]!));
    let base = height - EDGE_PX;
    for (const { y, color } of lines) {
      const v = y[i]!;
      if (!(v > 0)) continue;
      ctx.fillStyle = colors[color];
      ctx.fillRect(x0, base - v * scale, Math.max(1, x1 - x0), v * scale);
      base -= v * scale;
    }
  }
}

/**
 * Draws each bar from zero, the highest first: values in the same bin are not from the same time, so they do not add
 * up.
 */
function over(pen: Pen, { lines, top, width = 0 }: LineTrack): void {
  const { ctx, colors, view, height } = pen;
  const scale = (height - 2 * EDGE_PX) / top;
  const t = lines[0]?.t;
  if (!t) return;
  for (let i = Math.max(0, holding(t, view.from)); i < t.length && t[i]! - width <= view.to; i++) {
    const x0 = Math.round(xOf(view, t[i]! - width));
    const x1 = Math.round(xOf(view, t[i]!));
    const bars = lines.flatMap(({ y, color }) => (y[i]! > 0 ? [{ v: y[i]!, color }] : []));
    for (const { v, color } of bars.sort((a, b) => b.v - a.v)) {
      ctx.fillStyle = colors[color];
      ctx.fillRect(x0, height - EDGE_PX - v * scale, Math.max(1, x1 - x0), v * scale);
    }
  }
}

function shade({ ctx, view, height }: Pen, { warmUps = [] }: LineTrack, color: string, alpha: number): void {
  ctx.fillStyle = color;
  ctx.globalAlpha = alpha;
  for (const { from, to } of warmUps) {
    const x = xOf(view, from);
    ctx.fillRect(x, 0, Math.max(1, xOf(view, to) - x), height);
  }
  ctx.globalAlpha = 1;
}

export function paintLines(pen: Pen, track: LineTrack): void {
  const { ctx, colors, view, height } = pen;
  ctx.strokeStyle = colors.grid;
  ctx.lineWidth = 1;
  for (const y of [EDGE_PX, height - EDGE_PX]) {
    ctx.beginPath();
    ctx.moveTo(0, Math.round(y) + 0.5);
    ctx.lineTo(view.width, Math.round(y) + 0.5);
    ctx.stroke();
  }
  shade(pen, track, colors['line-strong'], 0.3);
  if (track.form === 'steps') steps(pen, track);
  else if (track.form === 'stack') stack(pen, track);
  else over(pen, track);
  // Warm-up, which is in no figure, is paler, as in the charts of the page.
  shade(pen, track, colors.panel, 0.5);
}
