import { text, time } from './number';

const UNITS = [
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, 'µs'],
  [1, 'ns'],
] as const;

/** A step of 1, 2 or 5 times a power of ten, ns: about so many in a stretch. */
export function tickStep(span: number, ticks: number): number {
  const raw = span / Math.max(1, ticks);
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw * 0.9999) ?? raw;
}

/** Times of an axis, with as many digits as their step needs: `371.83`, and the unit once. */
export function ticksOf(
  from: number,
  to: number,
  most: number,
): { unit: string; ticks: { t: number; text: string }[] } {
  const step = tickStep(to - from, most);
  const [factor, unit] = UNITS.find(([f]) => step >= f) ?? UNITS.at(-1)!;
  const digits = Math.max(0, -Math.floor(Math.log10(step / factor) + 1e-9));
  const ticks: { t: number; text: string }[] = [];
  // Zero has no sign.
  for (let i = Math.ceil(from / step - 1e-9) || 0; i * step <= to; i++) {
    const value = (i * step) / factor;
    ticks.push({
      t: i * step,
      text: value.toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits }),
    });
  }
  return { unit, ticks };
}

/** A moment of the run, as exact as the stretch around it makes sense: `0.371826 s`. */
export function momentText(t: number, span: number): string {
  const digits = Math.min(9, Math.max(2, Math.ceil(-Math.log10(span / 1e9 / 1000))));
  return `${(t / 1e9).toFixed(digits)} s`;
}

/** `± 12.3 µs`. */
export const errorText = (ns: number): string => `± ${text(time(ns))}`;
