/** Growable columns of numbers: no object per sample, no copying while a run streams. */
export class Columns<K extends string> {
  readonly #names: readonly K[];
  #capacity: number;
  #length = 0;
  #columns: Record<K, Float64Array>;

  constructor(names: readonly K[], capacity = 256) {
    this.#names = names;
    this.#capacity = capacity;
    this.#columns = Object.fromEntries(names.map((n) => [n, new Float64Array(capacity)])) as Record<
      K,
      Float64Array
    >;
  }

  get length(): number {
    return this.#length;
  }

  push(row: Record<K, number>): void {
    if (this.#length === this.#capacity) this.#grow();
    for (const n of this.#names) this.#columns[n][this.#length] = row[n];
    this.#length++;
  }

  /** The filled part of a column: a view, valid until the next push. */
  column(name: K): Float64Array {
    return this.#columns[name].subarray(0, this.#length);
  }

  at(name: K, index: number): number {
    return this.#columns[name][index] ?? NaN;
  }

  #grow(): void {
    this.#capacity *= 2;
    for (const n of this.#names) {
      const next = new Float64Array(this.#capacity);
      next.set(this.#columns[n]);
      this.#columns[n] = next;
    }
  }
}

/**
 * Bucket edges that thin `length` samples to at most `limit`: [start, end) pairs. Charts draw the mean of a bucket.
 * More samples than `limit` would cost frames without showing more.
 */
export function thin(length: number, limit: number): readonly (readonly [number, number])[] {
  const buckets = Math.min(length, limit);
  const out: (readonly [number, number])[] = [];
  for (let i = 0; i < buckets; i++) {
    out.push([Math.floor((i * length) / buckets), Math.floor(((i + 1) * length) / buckets)]);
  }
  return out;
}

export function mean(values: ArrayLike<number>, start: number, end: number): number {
  let sum = 0;
  let n = 0;
  for (let i = start; i < end; i++) {
    const v = values[i]!;
    if (!Number.isNaN(v)) {
      sum += v;
      n++;
    }
  }
  return n === 0 ? NaN : sum / n;
}
