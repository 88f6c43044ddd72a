import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** WCAG contrast of the design tokens, computed from the style sheet itself. */
const css = readFileSync(new URL('../src/styles/tokens.css', import.meta.url), 'utf8');

function tokens(selector: string): Record<string, [number, number, number]> {
  const body = new RegExp(`\\${selector} \\{([^}]*)\\}`).exec(css)![1]!;
  return Object.fromEntries(
    [...body.matchAll(/--([\w-]+): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)].map((m) => [
      m[1]!,
      [Number(m[2]), Number(m[3]), Number(m[4])],
    ]),
  );
}

/** oklch to linear sRGB (Björn Ottosson, "A perceptual color space for image processing"), clipped to the gamut. */
function linear([L, C, h]: [number, number, number]): [number, number, number] {
  const a = C * Math.cos((h * Math.PI) / 180);
  const b = C * Math.sin((h * Math.PI) / 180);
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (x: number) => Math.min(1, Math.max(0, x));
  return [
    clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function contrast(a: [number, number, number], b: [number, number, number]): number {
  const y = (c: [number, number, number]) => {
    const [r, g, bl] = linear(c);
    return 0.2126 * r + 0.7152 * g + 0.0722 * bl;
  };
  const [hi, lo] = [y(a), y(b)].sort((p, q) => q - p) as [number, number];
  return (hi + 0.05) / (lo + 0.05);
}

const GROUND = ['page', 'panel', 'hover', 'accent-wash'];
const TEXT = ['ink', 'ink-2', 'ink-3'];
const INK = [
  'rdma-ink',
  'tcp-ink',
  'udp-ink',
  'cpu-ink',
  'retx-ink',
  'nak-ink',
  'error-ink',
  'ok-ink',
  'accent',
  'series-1',
  'series-2',
  'series-3',
  'series-4',
];
const GRAPHIC = ['rdma', 'tcp', 'udp', 'retx', 'nak', 'error', 'line-strong'];

describe.each([
  ['light', ':root'],
  ['dark', '.dark'],
])('contrast, %s', (_, selector) => {
  const t = tokens(selector);
  it.each(GROUND.flatMap((g) => TEXT.map((i) => [i, g] as const)))('%s on %s is readable', (i, g) =>
    expect(contrast(t[i]!, t[g]!)).toBeGreaterThanOrEqual(4.5),
  );
  it.each(INK.flatMap((i) => ['page', 'panel'].map((g) => [i, g] as const)))('%s on %s is readable', (i, g) =>
    expect(contrast(t[i]!, t[g]!)).toBeGreaterThanOrEqual(4.5),
  );
  it.each(GRAPHIC.flatMap((i) => ['page', 'panel'].map((g) => [i, g] as const)))(
    '%s on %s can be seen',
    (i, g) => expect(contrast(t[i]!, t[g]!)).toBeGreaterThanOrEqual(i === 'retx' ? 2 : 3),
  );
  it('shows the three parts of CPU time in distinct colors', () => {
    expect(contrast(t['cpu-app']!, t['cpu-nic']!)).toBeGreaterThanOrEqual(1.8);
    expect(contrast(t['cpu-nic']!, t['cpu-kernel']!)).toBeGreaterThanOrEqual(1.8);
  });
  it('writes on the accent and on error grounds', () => {
    expect(contrast(t['on-accent']!, t.accent!)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(t['error-ink']!, t['error-wash']!)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(t.ink!, t.field!)).toBeGreaterThanOrEqual(4.5);
  });
});
