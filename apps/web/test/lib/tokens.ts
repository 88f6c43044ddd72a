import { readFileSync } from 'node:fs';

export type Oklch = [number, number, number];

/** The design tokens, from the style sheet itself, and their WCAG contrast. */
const css = readFileSync(new URL('../../src/styles/tokens.css', import.meta.url), 'utf8');

const bodyOf = (selector: string): string => new RegExp(`\\${selector} \\{([^}]*)\\}`).exec(css)![1]!;

export function tokens(selector: string): Record<string, Oklch> {
  return Object.fromEntries(
    [...bodyOf(selector).matchAll(/--([\w-]+): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)].map((m) => [
      m[1]!,
      [Number(m[2]), Number(m[3]), Number(m[4])],
    ]),
  );
}

/** oklch to linear sRGB (Björn Ottosson, "A perceptual color space for image processing"), clipped to the gamut. */
export function linear([L, C, h]: Oklch): [number, number, number] {
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

export function contrast(a: Oklch, b: Oklch): number {
  const y = (c: Oklch) => {
    const [r, g, bl] = linear(c);
    return 0.2126 * r + 0.7152 * g + 0.0722 * bl;
  };
  const [hi, lo] = [y(a), y(b)].sort((p, q) => q - p) as [number, number];
  return (hi + 0.05) / (lo + 0.05);
}
