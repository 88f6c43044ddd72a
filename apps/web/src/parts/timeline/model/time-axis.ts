/** Places of times on an axis. Long stretches without a record can be cut out of it. */
import type { Time } from './stream';

/** A stretch that an axis cuts out. */
export interface Cut {
  from: Time;
  to: Time;
}

export interface TimeAxis {
  /** In order; they do not overlap. */
  readonly cuts: readonly Cut[];
  /** Place of a time, ns of the axis. A later time has a later place. */
  place(t: Time): number;
  /** Time at a place. */
  time(place: number): Time;
}

/** The axis of a record without pauses. */
export const UNCUT: TimeAxis = { cuts: [], place: (t) => t, time: (place) => place };

/** An axis on which every cut is as wide as `width`, ns, and all else as long as it took. */
export class CutAxis implements TimeAxis {
  readonly cuts: readonly Cut[];
  readonly #width: number;
  /** What is left out before each cut. */
  readonly #before: readonly number[];

  constructor(cuts: readonly Cut[], width: number) {
    this.cuts = cuts;
    this.#width = width;
    let sum = 0;
    this.#before = cuts.map(({ from, to }) => {
      const before = sum;
      sum += to - from - width;
      return before;
    });
  }

  /** Index of the last cut that begins before this; `at`: beginning of a cut, as a time or a place. */
  #last(value: number, at: (i: number) => number): number {
    let low = 0;
    let high = this.cuts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (at(middle) < value) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  place(t: Time): number {
    const i = this.#last(t, (k) => this.cuts[k]!.from);
    if (i < 0) return t;
    const { from, to } = this.cuts[i]!;
    const begin = from - this.#before[i]!;
    if (t >= to) return begin + this.#width + (t - to);
    return begin + ((t - from) * this.#width) / (to - from);
  }

  time(place: number): Time {
    const i = this.#last(place, (k) => this.cuts[k]!.from - this.#before[k]!);
    if (i < 0) return place;
    const { from, to } = this.cuts[i]!;
    const into = place - (from - this.#before[i]!);
    if (into >= this.#width) return to + (into - this.#width);
    return from + (into * (to - from)) / this.#width;
  }
}

/**
 * Stretches in which nothing is recorded, `least` long or longer, less a margin on both sides. `busy`: stretches with
 * records, in any order; a single moment begins and ends at the same time.
 */
export function idleCuts(busy: readonly Cut[], least: number, margin: number): Cut[] {
  const cuts: Cut[] = [];
  let last = -Infinity;
  for (const { from, to } of busy.toSorted((a, b) => a.from - b.from)) {
    if (Number.isFinite(last) && from - last >= least) cuts.push({ from: last + margin, to: from - margin });
    last = Math.max(last, to);
  }
  return cuts;
}
