/** Nanoseconds since the run was created, or since the first packet of a capture. */
export type Time = number;

/**
 * Events of the same kind in order of time: the data of a track. A query of a stretch costs as much as its width on the
 * screen, not as much as its number of events.
 */
export interface Stream {
  readonly length: number;
  time(i: number): Time;
  /** Value of the event, such as a PSN; NaN if only the time counts. */
  value(i: number): number;
  /** Item of the event: the number of a packet in its list, or the sequence number of an event. */
  item(i: number): number;
  /** Index of the first event at or after a time; `length` if there is none. `from`: lower bound of the index. */
  at(time: Time, from?: number): number;
  /** Smallest and largest value of events `from` up to before `to`. */
  range(from: number, to: number): readonly [number, number];
  /** Index of the event with this item; -1 if it is not in the stream. */
  find(item: number): number;
}

/** Values per block of a pyramid, and blocks per block of the next level. */
const FAN = 64;

interface Level {
  min: Float64Array;
  max: Float64Array;
}

/**
 * Events of a run. A time is found by binary search, and the range of values between two indices from a pyramid of
 * blocks.
 */
export class EventStream implements Stream {
  /** Times in order. */
  readonly t: Float64Array;
  /** Values, such as PSNs; null if only the time counts. */
  readonly y: Float64Array | null;
  /** Items: the number of a packet in its list, or the sequence number of an event. */
  readonly ref: Uint32Array;
  readonly #levels: Level[] = [];
  #places: Map<number, number> | null = null;

  constructor(t: Float64Array, ref: Uint32Array, y: Float64Array | null = null) {
    this.t = t;
    this.ref = ref;
    this.y = y;
    for (let below: Level | null = y && { min: y, max: y }; below && below.min.length > FAN;) {
      below = blocksOf(below);
      this.#levels.push(below);
    }
  }

  get length(): number {
    return this.t.length;
  }

  time(i: number): Time {
    return this.t[i]!;
  }

  value(i: number): number {
    return this.y ? this.y[i]! : NaN;
  }

  item(i: number): number {
    return this.ref[i]!;
  }

  at(time: Time, from = 0): number {
    let low = from;
    let high = this.t.length;
    // Most searches of a drawing end near their start.
    for (let reach = 1; low + reach < high; reach *= 2) {
      if (this.t[low + reach]! >= time) {
        high = low + reach;
        break;
      }
    }
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.t[middle]! < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  range(from: number, to: number): readonly [number, number] {
    let least = Infinity;
    let most = -Infinity;
    const take = ({ min, max }: Level, a: number, b: number): void => {
      for (let i = a; i < b; i++) {
        if (min[i]! < least) least = min[i]!;
        if (max[i]! > most) most = max[i]!;
      }
    };
    if (!this.y) return [least, most];
    let level: Level = { min: this.y, max: this.y };
    let a = from;
    let b = to;
    for (const above of this.#levels) {
      if (b - a <= 2 * FAN) break;
      const a2 = Math.ceil(a / FAN);
      const b2 = Math.floor(b / FAN);
      take(level, a, a2 * FAN);
      take(level, b2 * FAN, b);
      [level, a, b] = [above, a2, b2];
    }
    take(level, a, b);
    return [least, most];
  }

  find(item: number): number {
    this.#places ??= new Map(Array.from(this.ref, (ref, i) => [ref, i]));
    return this.#places.get(item) ?? -1;
  }

  /** Index of the event nearest to a time; -1 in an empty stream. */
  nearest(time: Time): number {
    const after = this.at(time);
    if (after === 0) return this.length === 0 ? -1 : 0;
    if (after === this.length) return after - 1;
    return this.t[after]! - time < time - this.t[after - 1]! ? after : after - 1;
  }
}

function blocksOf({ min, max }: Level): Level {
  const n = Math.ceil(min.length / FAN);
  const out = { min: new Float64Array(n), max: new Float64Array(n) };
  for (let block = 0; block < n; block++) {
    let least = Infinity;
    let most = -Infinity;
    const end = Math.min(min.length, (block + 1) * FAN);
    for (let i = block * FAN; i < end; i++) {
      if (min[i]! < least) least = min[i]!;
      if (max[i]! > most) most = max[i]!;
    }
    out.min[block] = least;
    out.max[block] = most;
  }
  return out;
}

/** Builds a stream of items in any order. */
export function streamOf<T>(
  things: readonly T[],
  time: (thing: T) => Time,
  ref: (thing: T) => number,
  value?: (thing: T) => number,
): EventStream {
  const sorted = things.every((x, i) => i === 0 || time(things[i - 1]!) <= time(x))
    ? things
    : things.toSorted((a, b) => time(a) - time(b));
  return new EventStream(
    Float64Array.from(sorted, time),
    Uint32Array.from(sorted, ref),
    value ? Float64Array.from(sorted, value) : null,
  );
}
