import type { Stream } from '../model/stream';
import { UNCUT, type TimeAxis } from '../model/time-axis';
import type { View } from './pen';

/** Largest relative difference in scale, from rounding, between two positions of a view that only moved. */
const SAME_SCALE = 1e-9;
/** Most columns from the origin. Farther away, the rounding error would add up to wrong edges of bins. */
const FARTHEST = 1e6;

/** Events of a stream by pixel columns of a view. While the view moves, only the new columns are looked up. */
export class Bins {
  /**
   * Edges of the columns: column `x` has events `edges[x]` up to before `edges[x + 1]`, and column 0 begins at or
   * before the view.
   */
  edges = new Uint32Array(1);
  columns = 0;
  readonly #stream: Stream;
  /** Place of the origin on the axis. */
  #origin = NaN;
  #axis: TimeAxis = UNCUT;
  #perPx = NaN;
  /** Bin of column 0, counted from the origin. */
  #first = 0;
  #least: Float64Array | null = null;
  #most: Float64Array | null = null;

  constructor(stream: Stream) {
    this.#stream = stream;
  }

  /** Columns of this view. */
  show({ from: begin, to: end, width, axis = UNCUT }: View): this {
    const [from, to] = [axis.place(begin), axis.place(end)];
    const perPx = (to - from) / width;
    const columns = Math.ceil(width) + 1;
    let first = Math.floor((from - this.#origin) / this.#perPx);
    const moved =
      axis === this.#axis &&
      Math.abs(perPx - this.#perPx) <= SAME_SCALE * perPx &&
      Math.abs(first) < FARTHEST &&
      columns === this.columns;
    if (!moved) {
      this.#axis = axis;
      this.#origin = from;
      this.#perPx = perPx;
      this.#first = first = 0;
      this.columns = columns;
      this.edges = new Uint32Array(columns + 1);
      this.#least = this.#most = null;
      this.#look(0, columns);
      return this;
    }
    const by = first - this.#first;
    if (by === 0) return this;
    this.#first = first;
    const kept = Math.max(0, columns - Math.abs(by));
    for (const part of [this.edges, this.#least, this.#most]) {
      if (!part) continue;
      const one = part === this.edges ? 1 : 0;
      if (kept === 0) continue;
      if (by > 0) part.copyWithin(0, by, by + kept + one);
      else part.copyWithin(-by, 0, kept + one);
    }
    if (by > 0) this.#look(kept, columns);
    else this.#look(0, columns - kept);
    return this;
  }

  /** Looks up the columns from `a` up to before `b`. */
  #look(a: number, b: number): void {
    const { edges } = this;
    let at = 0;
    for (let x = a; x <= b; x++)
      edges[x] = at = this.#stream.at(this.#axis.time(this.#origin + (this.#first + x) * this.#perPx), at);
    if (this.#least) this.#range(a, b);
  }

  #range(a: number, b: number): void {
    const { edges } = this;
    for (let x = a; x < b; x++)
      [this.#least![x], this.#most![x]] =
        edges[x]! < edges[x + 1]! ? this.#stream.range(edges[x]!, edges[x + 1]!) : [Infinity, -Infinity];
  }

  /** Smallest and largest value of each column. For a column without events, the smallest is above the largest. */
  get values(): { least: Float64Array; most: Float64Array } {
    if (!this.#least || !this.#most) {
      this.#least = new Float64Array(this.columns);
      this.#most = new Float64Array(this.columns);
      this.#range(0, this.columns);
    }
    return { least: this.#least, most: this.#most };
  }
}

const kept = new WeakMap<Stream, Bins>();

export function binsOf(stream: Stream, view: View): Bins {
  let bins = kept.get(stream);
  if (!bins) kept.set(stream, (bins = new Bins(stream)));
  return bins.show(view);
}
