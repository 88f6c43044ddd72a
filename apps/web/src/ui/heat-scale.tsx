/**
 * Color scale of heat maps, from the smallest to the largest value through the tokens `--heat-1` to `--heat-6`. Their
 * lightness goes in one direction only, away from that of the panel, so that larger values always stand out more, even
 * without color. The hue distinguishes the steps.
 */
export const HEAT_TOKENS = ['heat-1', 'heat-2', 'heat-3', 'heat-4', 'heat-5', 'heat-6'] as const;
const LAST = HEAT_TOKENS.length - 1;

/** The step below a share of the scale (0 to 1), and the fraction of the way to the next step. */
function placeOf(share: number): readonly [step: number, part: number] {
  const at = Math.min(1, Math.max(0, share)) * LAST;
  const step = Math.min(LAST - 1, Math.floor(at));
  return [step, at - step];
}

/** Color at a share of the scale (0 to 1), for style sheets: it follows the theme. */
export function heatColor(share: number): string {
  const [step, part] = placeOf(share);
  const percent = Number((100 * part).toFixed(1));
  return `color-mix(in oklab, var(--${HEAT_TOKENS[step + 1]!}) ${percent}%, var(--${HEAT_TOKENS[step]!}))`;
}

/** The whole scale from left to right, for legends. */
export const HEAT_GRADIENT = `linear-gradient(in oklab to right, ${HEAT_TOKENS.map((t) => `var(--${t})`).join(', ')})`;

/** Red, green and blue, 0 to 255. */
export type Rgb = readonly [number, number, number];
type Lab = readonly [number, number, number];

const linear = (x: number): number => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
const encoded = (x: number): number => (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055);

/** Conversion from Björn Ottosson, “A perceptual color space for image processing”. */
export function oklabOf(rgb: Rgb): Lab {
  const [r, g, b] = rgb.map((x) => linear(x / 255)) as [number, number, number];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function rgbOf([L, a, b]: Lab): Rgb {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const byte = (x: number): number => Math.round(255 * encoded(Math.min(1, Math.max(0, x))));
  return [
    byte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    byte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    byte(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** The scale as `length` colors for canvases, from the colors of its tokens. */
export function heatRamp(stops: readonly Rgb[], length: number): Rgb[] {
  const labs = stops.map(oklabOf);
  return Array.from({ length }, (_, i) => {
    const [step, part] = placeOf(i / (length - 1));
    const [from, to] = [labs[step]!, labs[step + 1]!];
    return rgbOf(from.map((x, k) => x + part * (to[k]! - x)) as unknown as Lab);
  });
}

/** Small version of the scale, with the smallest value at the left. */
export function HeatBar() {
  return <span aria-hidden className="inline-block h-2 w-16" style={{ background: HEAT_GRADIENT }} />;
}
