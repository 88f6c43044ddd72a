import { describe, expect, it } from 'vitest';
import { heatShare } from '../src/parts/timeline/draw/heat';
import { HEAT_TOKENS, heatColor, heatRamp, oklabOf, type Rgb } from '../src/ui/heat-scale';
import { contrast, linear, tokens, type Oklch } from './lib/tokens';

const encoded = (x: number): number =>
  Math.round(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));

const oklchOf = (rgb: Rgb): Oklch => {
  const [L, a, b] = oklabOf(rgb);
  return [L, Math.hypot(a, b), (Math.atan2(b, a) * 180) / Math.PI];
};

describe.each([
  ['light', ':root', -1],
  ['dark', '.dark', 1],
])('the scale of heat maps, %s', (_, selector, way) => {
  const theme = tokens(selector);
  const stops = HEAT_TOKENS.map((token) => theme[token]!);
  const ramp = heatRamp(
    stops.map((stop) => linear(stop).map(encoded) as unknown as Rgb),
    256,
  ).map(oklchOf);

  it('goes away from the panel in even steps of lightness, without a turn', () => {
    const steps = ramp.slice(1).map(([L], i) => way * (L - ramp[i]![0]));
    // A byte of each color is all that a canvas has: two neighbors may round to nearly the same.
    expect(Math.min(...steps)).toBeGreaterThan(-0.001);
    const tenths = Array.from({ length: 11 }, (_, i) => ramp[Math.round((i * 255) / 10)]![0]);
    for (const [i, L] of tenths.slice(1).entries()) {
      expect(way * (L - tenths[i]!)).toBeGreaterThan(0.035);
      expect(way * (L - tenths[i]!)).toBeLessThan(0.075);
    }
    expect(way * (ramp[0]![0] - theme.panel![0])).toBeGreaterThan(0.1);
  });

  it('goes through more than one hue, and shows its least value on the panel', () => {
    const hues = stops.map(([, , h]) => h);
    expect(Math.max(...hues) - Math.min(...hues)).toBeGreaterThan(150);
    expect(contrast(stops[0]!, theme.panel!)).toBeGreaterThan(1.5);
    expect(contrast(stops[0]!, stops.at(-1)!)).toBeGreaterThan(5);
  });
});

describe('a place on the scale', () => {
  it('is between the tokens next to it, and stays on the scale', () => {
    expect(heatColor(0)).toBe('color-mix(in oklab, var(--heat-2) 0%, var(--heat-1))');
    expect(heatColor(0.5)).toBe('color-mix(in oklab, var(--heat-4) 50%, var(--heat-3))');
    expect(heatColor(2)).toBe('color-mix(in oklab, var(--heat-6) 100%, var(--heat-5))');
    expect(heatColor(-1)).toBe(heatColor(0));
  });

  it('is logarithmic in operations', () => {
    expect([1, 10, 100, 1000].map((n) => heatShare(n, 100))).toEqual([0, 0.5, 1, 1]);
    expect(heatShare(1, 1)).toBe(1);
  });
});
