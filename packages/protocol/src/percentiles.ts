/**
 * Latency distributions and their percentiles. Percentiles are computed only here: the agent, the labs, the command and
 * the page use this file, so that they cannot disagree.
 */

export const PERCENTILES = { p50: 0.5, p90: 0.9, p99: 0.99, p999: 0.999 } as const;
export type Percentile = keyof typeof PERCENTILES;

/** Usual names of percentiles. */
export const PERCENTILE_NAME: Readonly<Record<Percentile, string>> = {
  p50: 'p50',
  p90: 'p90',
  p99: 'p99',
  p999: 'p99.9',
};

/**
 * Samples required beyond a percentile of the tail: with fewer, a single slow operation would decide it. The median is
 * the middle of all samples, so a slow operation moves it by a single place: two on either side are enough.
 */
const SAMPLES_BEYOND = 10;
const BESIDE_MEDIAN = 2;

/** Least number of samples for the value that a `share` (0 to 1) of them do not exceed. */
export const samplesFor = (share: number): number =>
  share <= PERCENTILES.p50 ? 2 * BESIDE_MEDIAN + 1 : Math.round(SAMPLES_BEYOND / (1 - share));

/** Value that a `share` (0 to 1) of the samples do not exceed; null if there are fewer than `samplesFor(share)`. */
export function ranked(sorted: readonly number[], share: number): number | null {
  if (sorted.length < samplesFor(share)) return null;
  return sorted[Math.max(0, Math.ceil(share * sorted.length - 1e-6) - 1)] ?? null;
}

/** Samples that a named percentile needs: p50 5, p90 100, p99 1,000, p99.9 10,000. */
export const samplesNeeded = (which: Percentile): number => samplesFor(PERCENTILES[which]);

export const NOT_ENOUGH_SAMPLES = 'not enough samples';

/** Reason why a percentile is withheld, as a sentence. */
export function whyWithheld(which: Percentile, n: number): string {
  const say = (count: number): string => count.toLocaleString('en-US');
  const there =
    which === 'p50'
      ? `at least ${BESIDE_MEDIAN} lie on either side of it`
      : `at least ${SAMPLES_BEYOND} lie beyond it`;
  return (
    `${PERCENTILE_NAME[which]} needs ${say(samplesNeeded(which))} samples, so that ${there}. ` +
    `There ${n === 1 ? 'is' : 'are'} ${say(n)}.`
  );
}

/** Latency in microseconds. A percentile is null if there are fewer samples than `samplesNeeded`. */
export interface LatencyUs {
  /** Number of samples. Absent in runs of older agents. */
  n?: number | undefined;
  min: number;
  p50: number | null;
  p90: number | null;
  p99: number | null;
  p999: number | null;
  max: number;
}

/** A distribution as JSON: pairs of a slot's highest value, in nanoseconds, and its count. */
export type Distribution = [ns: number, count: number][];

/** Layout of the recorder (native/bench/histogram.h): slots of width 1 up to 2,048, then 1,024 per doubling. */
const HALF_BITS = 10;
const HALF = 2 ** HALF_BITS;
const COOKIE = 0x1c849303 | 0x10;
const HEADER_BYTES = 40;
/** Limit of slots, more than any value needs. */
const MAX_SLOTS = 64 * HALF;

/** Highest value of the slot with this index. */
function highestOf(index: number): number {
  const bucket = Math.max(0, (index >>> HALF_BITS) - 1);
  const sub = index < HALF ? index : (index & (HALF - 1)) + HALF;
  return (sub + 1) * 2 ** bucket - 1;
}

/** Lowest value of the slot that ends at `highest`. */
function lowestOf(highest: number): number {
  const bucket = Math.max(0, Math.floor(Math.log2(Math.max(1, highest))) - HALF_BITS);
  return highest - 2 ** bucket + 1;
}

/** Latencies of any number of operations, ns. Each may be off by one in a thousand. */
export class LatencyHistogram {
  #counts = new Map<number, number>();
  #total = 0;
  #sorted: Distribution | null = [];

  /** Decodes an HdrHistogram in V2 encoding, not compressed, as in histogram frames. Throws RangeError. */
  static decode(encoded: Uint8Array): LatencyHistogram {
    const view = new DataView(encoded.buffer, encoded.byteOffset, encoded.byteLength);
    if (encoded.byteLength < HEADER_BYTES || view.getUint32(0) !== COOKIE)
      throw new RangeError('not a histogram in V2 encoding');
    const end = HEADER_BYTES + view.getUint32(4);
    if (end > encoded.byteLength) throw new RangeError('the histogram is cut short');
    if (view.getUint32(12) !== 3) throw new RangeError('not a histogram of three significant digits');
    const out = new LatencyHistogram();
    let index = 0;
    for (let at = HEADER_BYTES; at < end;) {
      // ZigZag LEB128: seven bits per byte, lowest first; a ninth byte has eight.
      let raw = 0;
      for (let i = 0; ; i++) {
        if (at >= end) throw new RangeError('the histogram is cut short');
        const byte = view.getUint8(at++);
        raw += (i === 8 ? byte : byte & 0x7f) * 2 ** (7 * i);
        if (byte < 0x80 || i === 8) break;
      }
      const value = raw % 2 === 0 ? raw / 2 : -(raw + 1) / 2;
      if (value < 0) index -= value;
      else out.#add(highestOf(index++), value);
      if (index > MAX_SLOTS) throw new RangeError('the histogram has too many slots');
    }
    return out;
  }

  static of(distribution: Distribution): LatencyHistogram {
    const out = new LatencyHistogram();
    for (const [ns, count] of distribution) out.#add(ns, count);
    return out;
  }

  /** Adds one operation. */
  record(ns: number): void {
    const bucket = Math.max(0, Math.floor(Math.log2(Math.max(1, ns))) - HALF_BITS);
    this.#add((Math.floor(ns / 2 ** bucket) + 1) * 2 ** bucket - 1, 1);
  }

  #add(ns: number, count: number): void {
    if (count <= 0) return;
    this.#counts.set(ns, (this.#counts.get(ns) ?? 0) + count);
    this.#total += count;
    this.#sorted = null;
  }

  /** Adds all values of another histogram. */
  add(other: LatencyHistogram): void {
    for (const [ns, count] of other.#counts) this.#add(ns, count);
  }

  get count(): number {
    return this.#total;
  }

  /** Distribution in ascending order. */
  get distribution(): Distribution {
    return (this.#sorted ??= [...this.#counts].sort((a, b) => a[0] - b[0]));
  }

  get min(): number {
    const first = this.distribution[0];
    return first ? lowestOf(first[0]) : 0;
  }

  get max(): number {
    return this.distribution.at(-1)?.[0] ?? 0;
  }

  /** Smallest value that a `share` (0 to 1) of all samples do not exceed, for any number of samples; 0 if empty. */
  valueAt(share: number): number {
    // A floating-point error at a whole rank must not select the next rank.
    const rank = Math.max(1, Math.ceil(share * this.#total - 1e-6));
    let seen = 0;
    for (const [ns, count] of this.distribution) {
      seen += count;
      if (seen >= rank) return ns;
    }
    return this.max;
  }

  /** Percentile in nanoseconds; null if there are fewer samples than `samplesNeeded`. */
  percentile(which: Percentile): number | null {
    return this.#total < samplesNeeded(which) ? null : this.valueAt(PERCENTILES[which]);
  }

  /** Latency as in results; null if empty. */
  us(): LatencyUs | null {
    if (this.#total === 0) return null;
    const us = (ns: number | null): number | null => (ns === null ? null : ns / 1000);
    return {
      n: this.#total,
      min: this.min / 1000,
      p50: us(this.percentile('p50')),
      p90: us(this.percentile('p90')),
      p99: us(this.percentile('p99')),
      p999: us(this.percentile('p999')),
      max: this.max / 1000,
    };
  }
}
