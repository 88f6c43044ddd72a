/** Number formats of the pages: three significant digits, with a separate unit that can be muted. */
import { bitRate as bits, goodput, inGbps, sig3 } from '@verbslab/labs';

export { goodput, inGbps, sig3 };

export interface Quantity {
  value: string;
  unit: string;
}

const DASH = '–';
/** Made once: pictures that move count in each of their frames. */
const WHOLE = new Intl.NumberFormat('en-GB');

/** Whole counts are never rounded. */
export function count(n: number | bigint | null | undefined): string {
  if (n === null || n === undefined) return DASH;
  return WHOLE.format(n);
}

function scaled(n: number, steps: readonly (readonly [number, string])[]): Quantity {
  for (const [factor, unit] of steps) {
    if (Math.abs(n) >= factor * 0.9995) return { value: sig3(n / factor), unit };
  }
  const last = steps[steps.length - 1]!;
  return { value: sig3(n / last[0]), unit: last[1] };
}

/** Nanoseconds, in the unit that keeps one to three digits before the point. */
export function time(ns: number | null | undefined): Quantity {
  if (ns === null || ns === undefined || !Number.isFinite(ns)) return { value: DASH, unit: '' };
  return scaled(ns, [
    [1e9, 's'],
    [1e6, 'ms'],
    [1e3, 'µs'],
    [1, 'ns'],
  ]);
}

/** Rate per second, with decimal prefixes. */
export function rate(perSecond: number | null | undefined): Quantity {
  if (perSecond === null || perSecond === undefined || !Number.isFinite(perSecond))
    return { value: DASH, unit: '' };
  return scaled(perSecond, [
    [1e6, 'M/s'],
    [1e3, 'k/s'],
    [1, '/s'],
  ]);
}

/** Bit rate from bytes per second, with decimal prefixes. */
export const bitRate = (bytesPerSecond: number): Quantity => bits(bytesPerSecond * 8);

/** Bytes with binary prefixes: exact for a whole number of the unit. */
export function bytes(n: number | null | undefined): Quantity {
  if (n === null || n === undefined || !Number.isFinite(n)) return { value: DASH, unit: '' };
  for (const [factor, unit] of [
    [2 ** 40, 'TiB'],
    [2 ** 30, 'GiB'],
    [2 ** 20, 'MiB'],
    [2 ** 10, 'KiB'],
  ] as const) {
    if (n >= factor) return { value: n % factor === 0 ? count(n / factor) : sig3(n / factor), unit };
  }
  return { value: count(n), unit: 'B' };
}

/** Text of a quantity, with a no-break space between number and unit. */
export function text(q: Quantity): string {
  return q.unit ? `${q.value}\u00a0${q.unit}` : q.value;
}

export function hex(n: number | bigint, digits = 0): string {
  return `0x${n.toString(16).padStart(digits, '0')}`;
}

/** Seconds in readable form: 4.2 s, 1 min 05 s. */
export function secondsText(s: number): string {
  if (s < 60) return `${s < 10 ? s.toFixed(1) : Math.round(s)}\u00a0s`;
  const whole = Math.round(s);
  return `${Math.floor(whole / 60)}\u00a0min ${String(whole % 60).padStart(2, '0')}\u00a0s`;
}

const MOMENT = {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
} as const;
const thisYear = new Intl.DateTimeFormat('en-GB', MOMENT);
const otherYear = new Intl.DateTimeFormat('en-GB', { ...MOMENT, year: 'numeric' });

/** Date and time in the reader's time zone, such as "20 Nov, 13:05:09"; with the year if it is not the current one. */
export function when(ms: number, now = Date.now()): string {
  const same = new Date(ms).getFullYear() === new Date(now).getFullYear();
  return (same ? thisYear : otherYear).format(ms);
}
