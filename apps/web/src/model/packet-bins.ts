import type { PacketRows } from './packet-rows';

/** Packets and bytes per stretch of time, all of one width. */
export interface PacketBins {
  /** Nanoseconds. */
  width: number;
  packets: Float64Array;
  /** On the wire. */
  bytes: Float64Array;
}

/** Narrowest bin, nanoseconds: the times of most captures have no more digits. */
const LEAST = 1000;

/** Width of at most `most` bins of a capture: 1, 2 or 5 and zeros, nanoseconds. */
export function binWidth(durationNs: number, most: number): number {
  const raw = Math.max(LEAST, durationNs / most);
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((m) => m * power).find((width) => width >= raw * 0.9999)!;
}

export function emptyBins(durationNs: number, width: number): PacketBins {
  const n = Math.floor(durationNs / width) + 1;
  return { width, packets: new Float64Array(n), bytes: new Float64Array(n) };
}

/** Counts a packet. `zero`: the time of the first packet. */
export function addToBins(bins: PacketBins, rows: PacketRows, zero: number, index: number): void {
  const bin = Math.floor(((rows.time(index) ?? zero) - zero) / bins.width);
  if (bin < 0 || bin >= bins.packets.length) return;
  bins.packets[bin]!++;
  bins.bytes[bin]! += rows.wireLength(index);
}

/** A unit of a rate, and what a rate per second is divided by. */
export interface RateUnit {
  name: string;
  per: number;
}

const PREFIXES: readonly [per: number, prefix: string][] = [
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
];

/** Unit in which the largest of some rates per second has at most three digits before the point. */
export function rateUnit(of: 'packets' | 'bytes', most: number): RateUnit {
  const [per, prefix] = PREFIXES.find(([size]) => most >= size) ?? [1, ''];
  if (of === 'bytes') return { name: `${prefix}B/s`, per };
  const word = { G: 'billion ', M: 'million ', k: 'thousand ', '': '' }[prefix]!;
  return { name: `${word}packets/s`, per };
}

/** Index of the first listed packet from a time on; null if there is none. */
export function firstFrom(
  rows: PacketRows,
  only: readonly number[] | null,
  zero: number,
  fromNs: number,
): number | null {
  const length = only?.length ?? rows.length;
  let found: { index: number; t: number } | null = null;
  for (let k = 0; k < length; k++) {
    const index = only ? only[k]! : k;
    const t = (rows.time(index) ?? zero) - zero;
    if (t >= fromNs && (!found || t < found.t)) found = { index, t };
  }
  return found?.index ?? null;
}
