// Reads figures as pages print them, with what rounding may have taken from them.

export interface Figure {
  value: number;
  /** Half a unit of the last digit that is printed: what rounding may have changed. */
  half: number;
}

/** `0.0123`, `13.1`, `1,230`. Pages print three significant digits; a figure of more is rounded to three of them. */
export function parseFigure(text: string): Figure | null {
  if (!/^-?\d[\d,]*(\.\d+)?$/.test(text)) return null;
  const value = Number(text.replaceAll(',', ''));
  const decimals = text.split('.')[1]?.length ?? 0;
  if (decimals > 0 || value === 0) return { value, half: 0.5 * 10 ** -decimals * ROUNDING };
  const digits = Math.floor(Math.log10(Math.abs(value))) + 1;
  return { value, half: 0.5 * 10 ** Math.max(0, digits - 3) * ROUNDING };
}

/** A half is rounded by what stands in floating point. */
const ROUNDING = 1 + 1e-9;

const UNITS: Readonly<Record<string, number>> = {
  ns: 1,
  µs: 1e3,
  ms: 1e6,
  s: 1e9,
  B: 1,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
};

/** `1.25 ms` in ns, `4 KiB` in bytes. */
export function nearest(text: string): Figure | null {
  const [amount = '', unit = ''] = text.split(' ');
  const figure = parseFigure(amount);
  const factor = UNITS[unit];
  if (!figure || factor === undefined) return null;
  return { value: figure.value * factor, half: figure.half * factor };
}

/** The middle one of an odd number, the mean of the middle two of an even one. */
export function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const n = sorted.length;
  return (sorted[Math.floor((n - 1) / 2)]! + sorted[Math.ceil((n - 1) / 2)]!) / 2;
}

export const sum = (values: Iterable<number>): number => {
  let total = 0;
  for (const value of values) total += value;
  return total;
};

/** By sorting: the smallest value that a share of all does not exceed. */
export function percentileOf(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length - 1e-6) - 1)]!;
}
