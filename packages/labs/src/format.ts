/** Figures as readers see them: three significant digits, binary bytes named as such, decimal rates. */

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** `65536` as `64 KiB`; what is no multiple gets three significant digits. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (Math.abs(value) >= 1024 && unit < BYTE_UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${formatNumber(value)} ${BYTE_UNITS[unit]}`;
}

/** Three significant digits; whole numbers below ten million in full, with a thin mark between thousands. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (Number.isInteger(value) && Math.abs(value) < 10_000_000) return formatCount(value);
  if (value === 0) return '0';
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  const digits = Math.max(0, 2 - magnitude);
  const rounded = Number(value.toPrecision(3));
  return digits === 0 ? formatCount(rounded) : rounded.toFixed(Math.min(digits, 6));
}

export function formatCount(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** Nanoseconds as ns, us, ms or s. */
export function formatTime(ns: number): string {
  const [factor, unit] = ns < 1e3 ? [1, 'ns'] : ns < 1e6 ? [1e3, 'µs'] : ns < 1e9 ? [1e6, 'ms'] : [1e9, 's'];
  return `${formatNumber(ns / factor)} ${unit}`;
}

/** `1 packet`, `3 packets`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
