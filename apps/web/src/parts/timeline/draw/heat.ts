import { holding } from '../model/lines';
import type { HeatTrack } from '../model/track';
import { HEAT_TOKENS, heatRamp, type Rgb } from '../../../ui/heat-scale';
import { timeAt, xOf, type Palette, type Pen } from './pen';

/** Red, green and blue of a color, from the canvas. */
function rgb(color: string): Rgb {
  const probe = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!;
  probe.fillStyle = color;
  probe.fillRect(0, 0, 1, 1);
  const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
  return [r!, g!, b!];
}

const COLORS = 256;
const known = new Map<string, readonly Rgb[]>();

function rampOf(colors: Palette): readonly Rgb[] {
  const stops = HEAT_TOKENS.map((token) => colors[token]);
  const key = stops.join();
  const old = known.get(key);
  if (old) return old;
  const ramp = heatRamp(stops.map(rgb), COLORS);
  known.set(key, ramp);
  return ramp;
}

/**
 * Position of a number of operations on the scale, 0 to 1: logarithmic, so that a single one is visible beside
 * thousands.
 */
export const heatShare = (operations: number, most: number): number =>
  most <= 1 ? 1 : Math.min(1, Math.log(operations) / Math.log(most));

/** Paints the heat map. A class of latency is further along the scale, the more latencies of the interval it holds. */
export function paintHeat({ ctx, view, height, colors }: Pen, track: HeatTrack): void {
  const { classes, counts, t, width, most } = track;
  const columns = Math.max(1, Math.round(view.width));
  const n = classes.length;
  const image = new ImageData(columns, n);
  const ramp = rampOf(colors);
  const sums = new Uint32Array(n);
  const put = (x0: number, x1: number): void => {
    for (let c = 0; c < n; c++) {
      if (sums[c] === 0) continue;
      const [r, g, b] = ramp[Math.round(heatShare(sums[c]!, most) * (COLORS - 1))]!;
      for (let x = Math.max(0, x0); x <= Math.min(columns - 1, x1); x++) {
        const at = 4 * ((n - 1 - c) * columns + x);
        image.data[at] = r;
        image.data[at + 1] = g;
        image.data[at + 2] = b;
        image.data[at + 3] = 255;
      }
    }
  };
  for (let i = Math.max(0, holding(t, view.from)); i < t.length && t[i]! - width[i]! < view.to;) {
    const x0 = Math.floor(xOf(view, t[i]! - width[i]!));
    let x1 = x0;
    sums.fill(0);
    do {
      for (let c = 0; c < n; c++) sums[c]! += counts[i * n + c]!;
      x1 = Math.max(x0, Math.ceil(xOf(view, t[i]!)) - 1);
      i++;
    } while (i < t.length && Math.floor(xOf(view, t[i]!)) <= x0);
    put(x0, x1);
  }
  const offscreen = new OffscreenCanvas(columns, n);
  offscreen.getContext('2d')!.putImageData(image, 0, 0);
  ctx.imageSmoothingEnabled = false;
  ctx.drawImage(offscreen, 0, 0, view.width, height);
}

/** Class of latency at a position, and the number of its interval's latencies in it. */
export function heatAt(
  { t, width, least, classes, counts }: HeatTrack,
  view: Pen['view'],
  height: number,
  x: number,
  y: number,
): { from: number; to: number; count: number } | null {
  const time = timeAt(view, x);
  const i = holding(t, time) + 1;
  if (i >= t.length || t[i]! - width[i]! > time) return null;
  const c = Math.min(classes.length - 1, Math.max(0, Math.floor((1 - y / height) * classes.length)));
  return { from: classes[c - 1] ?? least, to: classes[c]!, count: counts[i * classes.length + c]! };
}
