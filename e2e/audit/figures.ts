// Figures as pages print them, with the possible effect of rounding.

export interface Figure {
  value: number;
  /** Half a unit of the last printed digit: the most that rounding may have changed. */
  half: number;
}

/** Parses `0.0123`, `13.1` or `1,230`. Pages print three significant digits, so longer figures are rounded to three. */
export function parseFigure(text: string): Figure | null {
  if (!/^-?\d[\d,]*(\.\d+)?$/.test(text)) return null;
  const value = Number(text.replaceAll(',', ''));
  const decimals = text.split('.')[1]?.length ?? 0;
  if (decimals > 0 || value === 0) return { value, half: 0.5 * 10 ** -decimals * ROUNDING };
  const digits = Math.floor(Math.log10(Math.abs(value))) + 1;
  return { value, half: 0.5 * 10 ** Math.max(0, digits - 3) * ROUNDING };
}

/** Allowance for floating-point errors in half a unit. */
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

/** Parses `1.25 ms` as ns and `4 KiB` as bytes. */
export function nearest(text: string): Figure | null {
  const [amount = '', unit = ''] = text.split(' ');
  const figure = parseFigure(amount);
  const factor = UNITS[unit];
  if (!figure || factor === undefined) return null;
  return { value: figure.value * factor, half: figure.half * factor };
}

/** Median: the middle value of an odd number of values, the mean of the middle two of an even number. */
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

/** Returns the smallest value with at least this share of all values at or below it. */
export function percentileOf(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length - 1e-6) - 1)]!;
}
