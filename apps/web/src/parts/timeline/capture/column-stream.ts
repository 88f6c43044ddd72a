import { BLOCK, type CaptureStream } from '@verbslab/roce';
import type { Stream, Time } from '../model/stream';

/** Blocks of one level that one of the next covers. */
const FAN = 64;

/**
 * Packets of a capture by their numbers, with their times in the columns of all packets: millions of them take four
 * bytes each. Places are found in the times of blocks first.
 */
export abstract class ColumnStream implements Stream {
  protected readonly packets: Uint32Array;
  readonly #t: Float64Array;
  readonly #blockT: Float64Array;

  constructor({ packets, blocks }: CaptureStream, t: Float64Array) {
    this.packets = packets;
    this.#t = t;
    this.#blockT = blocks.t;
  }

  abstract value(i: number): number;
  abstract range(from: number, to: number): readonly [number, number];

  get length(): number {
    return this.packets.length;
  }

  time(i: number): Time {
    return this.#t[this.packets[i]!]!;
  }

  item(i: number): number {
    return this.packets[i]!;
  }

  at(time: Time, from = 0): number {
    const { packets } = this;
    const t = this.#t;
    const blockT = this.#blockT;
    // The last block that begins before the time, at `from` or later: it has the place, or the next one begins there.
    let low = Math.floor(from / BLOCK);
    let high = blockT.length;
    for (let reach = 1; low + reach < high; reach *= 2) {
      if (blockT[low + reach]! >= time) {
        high = low + reach;
        break;
      }
      low += reach;
    }
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (blockT[middle]! < time) low = middle;
      else high = middle;
    }
    let first = Math.max(from, low * BLOCK);
    let end = Math.min(packets.length, (low + 1) * BLOCK);
    while (first < end) {
      const middle = (first + end) >>> 1;
      if (t[packets[middle]!]! < time) first = middle + 1;
      else end = middle;
    }
    return first;
  }

  find(packet: number): number {
    const { packets } = this;
    const time = this.#t[packet];
    if (time === undefined) return -1;
    for (let i = this.at(time); i < packets.length && this.time(i) === time; i++)
      if (packets[i] === packet) return i;
    return -1;
  }
}

/** Packets of a ladder: their values are their times of arrival. */
export class ArrivalStream extends ColumnStream {
  readonly #delays: Float32Array | null;

  constructor(stream: CaptureStream, t: Float64Array, delays: Float32Array | null) {
    super(stream, t);
    this.#delays = delays;
  }

  value(i: number): number {
    return this.#delays ? this.time(i) + this.#delays[this.packets[i]!]! : NaN;
  }

  /** A ladder has no scale of values. */
  range(): readonly [number, number] {
    return [Infinity, -Infinity];
  }
}

interface Level {
  least: ArrayLike<number>;
  most: ArrayLike<number>;
}

/** Packets of a PSN graph: their values are their PSNs since the first request of the requester. */
export class PlaceStream extends ColumnStream {
  readonly #places: Uint32Array;
  readonly #first: number;
  readonly #levels: readonly Level[];

  constructor(stream: CaptureStream, t: Float64Array, places: Uint32Array, first: number) {
    super(stream, t);
    this.#places = places;
    this.#first = first;
    const levels: Level[] = [stream.blocks];
    for (let below = stream.blocks; below.least.length > FAN;) {
      const n = Math.ceil(below.least.length / FAN);
      const least = new Uint32Array(n);
      const most = new Uint32Array(n);
      for (let i = 0; i < n; i++) {
        least[i] = Math.min(...below.least.subarray(i * FAN, (i + 1) * FAN));
        most[i] = Math.max(...below.most.subarray(i * FAN, (i + 1) * FAN));
      }
      levels.push((below = { ...below, least, most }));
    }
    this.#levels = levels;
  }

  value(i: number): number {
    return this.#places[this.packets[i]!]! - this.#first;
  }

  range(from: number, to: number): readonly [number, number] {
    let least = Infinity;
    let most = -Infinity;
    const single = (a: number, b: number): void => {
      for (let i = a; i < b; i++) {
        const place = this.#places[this.packets[i]!]!;
        if (place < least) least = place;
        if (place > most) most = place;
      }
    };
    const whole = (level: Level, a: number, b: number): void => {
      for (let i = a; i < b; i++) {
        if (level.least[i]! < least) least = level.least[i]!;
        if (level.most[i]! > most) most = level.most[i]!;
      }
    };
    let a = Math.ceil(from / BLOCK);
    let b = Math.floor(to / BLOCK);
    if (a >= b) single(from, to);
    else {
      single(from, a * BLOCK);
      single(b * BLOCK, to);
      let level = 0;
      for (; level + 1 < this.#levels.length && b - a > 2 * FAN; level++) {
        const a2 = Math.ceil(a / FAN);
        const b2 = Math.floor(b / FAN);
        whole(this.#levels[level]!, a, a2 * FAN);
        whole(this.#levels[level]!, b2 * FAN, b);
        [a, b] = [a2, b2];
      }
      whole(this.#levels[level]!, a, b);
    }
    return [least - this.#first, most - this.#first];
  }
}
