/** Figures as readers see them: three significant digits, binary bytes named as such, decimal rates. */

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

const MIB = 1024 * 1024;
/** The limit of toFixed(). */
const MOST_DECIMALS = 100;

/** `65536` as `64 KiB`. What is no multiple is exact below 1 MiB (`10,000 B`), and gets three significant digits above. */
export function formatBytes(bytes: number): string {
  if (Math.abs(bytes) < MIB && bytes % 1024 !== 0) return `${formatNumber(bytes)} B`;
  let value = bytes;
  let unit = 0;
  while (Math.abs(value) >= 1024 && unit < BYTE_UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${formatNumber(value)} ${BYTE_UNITS[unit]}`;
}

/** All digits that a decimal number was given with, for what people chose: `0.5`, `1,500`. */
export const formatExact = (value: number): string =>
  value.toLocaleString('en-US', { maximumSignificantDigits: 15 });

/**
 * Three significant digits, and whole numbers in full: they are counts, PSNs or limits. Beyond 2^53 a number no longer has
 * its last digits.
 */
export const formatNumber = (value: number): string => formatDigits(value, 3);

/** Formats a number like `formatNumber`, with `digits` significant digits. */
export function formatDigits(value: number, digits: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (Number.isSafeInteger(value)) return formatCount(value);
  return inDigits(value, digits);
}

/** Rounds to `digits` significant digits, whole numbers too; `value` must not be 0. */
function inDigits(value: number, digits: number): string {
  // Rounding first: it may carry into the next decade (9.996 to 10.0).
  const rounded = Number(value.toPrecision(digits));
  const magnitude = Math.floor(Math.log10(Math.abs(rounded)) + 1e-12);
  const decimals = Math.max(0, digits - 1 - magnitude);
  return decimals === 0 ? formatCount(rounded) : rounded.toFixed(Math.min(decimals, MOST_DECIMALS));
}

export function formatCount(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** Three significant digits in plain notation: 0.0123, 1.23, 12.3, 123, 1,230. A missing figure is a dash. */
export function sig3(n: number | null | undefined): string {
  if (n === null || n === undefined || !Number.isFinite(n)) return '–';
  return n === 0 ? '0' : inDigits(n, 3);
}

const TIME_UNITS = [
  [1, 'ns'],
  [1e3, 'µs'],
  [1e6, 'ms'],
  [1e9, 's'],
] as const;

/** Nanoseconds as ns, us, ms or s: the first in which the rounded figure stays below 1,000. */
export function formatTime(ns: number, show: (value: number) => string = formatNumber): string {
  const shown = TIME_UNITS.map(([factor, unit]) => ({ figure: show(ns / factor), unit }));
  const fits = shown.find(({ figure }) => Math.abs(Number(figure.replaceAll(',', ''))) < 1000);
  const { figure, unit } = fits ?? shown.at(-1)!;
  return `${figure} ${unit}`;
}

const BIT_RATES = [
  [1e9, 'Gb/s'],
  [1e6, 'Mb/s'],
  [1e3, 'kb/s'],
  [1, 'b/s'],
] as const;

/** Bits per second, decimal, in the largest unit in which the rounded figure is at least one. */
export function bitRate(bitsPerSecond: number): { value: string; unit: string } {
  const fits = BIT_RATES.find(([factor]) => Math.abs(bitsPerSecond) >= factor * 0.9995);
  const [factor, unit] = fits ?? BIT_RATES[3];
  return { value: sig3(bitsPerSecond / factor), unit };
}

/** Leading zeros below this many Gb/s say nothing and need more room than there is. */
const LEAST_GBPS = 0.0009995;

/** A goodput that is kept in Gb/s: `12.3 Gb/s`, and `11 kb/s` far below a gigabit. */
export function goodput(gbps: number | null | undefined): { value: string; unit: string } {
  return typeof gbps === 'number' && gbps > 0 && gbps < LEAST_GBPS
    ? bitRate(gbps * 1e9)
    : { value: sig3(gbps), unit: 'Gb/s' };
}

/** A goodput in a column of Gb/s: only other units appear in the cell. */
export function inGbps(gbps: number | null | undefined): string {
  const { value, unit } = goodput(gbps);
  return unit === 'Gb/s' ? value : `${value}\u00a0${unit}`;
}

/** A goodput with its unit, where no heading names the unit. */
export function goodputText(gbps: number): string {
  const { value, unit } = goodput(gbps);
  return `${value} ${unit}`;
}

/** Units that count things are written in the plural: `packets`, `WRs`. */
const COUNTED = /^(?:[a-z ]{3,}|[A-Z]+)s$/;

/** The unit beside a number as it is shown: `packet` beside `1`. */
export function unitBeside(shown: string, unit: string): string {
  if (shown !== '1' || !COUNTED.test(unit)) return unit;
  return unit
    .replace(/ies$/, 'y')
    .replace(/sses$/, 'ss')
    .replace(/(?<!s)s$/, '');
}

/** `packet` or `packets`, for a figure that is shown apart. */
export function noun(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many;
}

/** `1 packet`, `3 packets`. */
export function plural(count: number, one: string, many?: string): string {
  return `${formatCount(count)} ${noun(count, one, many)}`;
}

/** Names in their order, each run of the same name once with its length: `First, 2 Middle, Last`. */
export function runList(names: readonly string[]): string {
  const runs: { name: string; count: number }[] = [];
  for (const name of names) {
    const last = runs.at(-1);
    if (last?.name === name) last.count++;
    else runs.push({ name, count: 1 });
  }
  return runs.map(({ name, count }) => (count === 1 ? name : `${formatCount(count)} ${name}`)).join(', ');
}
