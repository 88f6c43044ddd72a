/** The registered region to drop when another one needs its place. */
export type Eviction = 'lru' | 'mru';

/** Keeps the values made for keys, up to a number of entries. */
export class RegionCache<K, V> {
  /** Entries, the least recently used first. */
  readonly #entries = new Map<K, V>();

  /** @param capacity entries; 0 keeps nothing beyond {@link release} */
  constructor(
    private readonly capacity: number,
    private readonly evict: Eviction,
    private readonly make: (key: K) => V,
    private readonly drop: (value: V) => void,
  ) {}

  get size(): number {
    return this.#entries.size;
  }

  /** Returns the entry of a key, made if it is missing. Entries are dropped before a new one is made. */
  take(key: K): { value: V; hit: boolean; evictions: number } {
    const known = this.#entries.get(key);
    if (known !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, known);
      return { value: known, hit: true, evictions: 0 };
    }
    let evictions = 0;
    while (this.#entries.size > 0 && this.#entries.size >= this.capacity) {
      this.#dropOne();
      evictions++;
    }
    const value = this.make(key);
    this.#entries.set(key, value);
    return { value, hit: false, evictions };
  }

  /** Ends the use of the last entry. Drops entries beyond the capacity and returns their number. */
  release(): number {
    let dropped = 0;
    for (; this.#entries.size > this.capacity; dropped++) this.#dropOne();
    return dropped;
  }

  clear(): void {
    while (this.#entries.size > 0) this.#dropOne();
  }

  #dropOne(): void {
    const keys = [...this.#entries.keys()];
    const key = (this.evict === 'lru' ? keys[0] : keys.at(-1)) as K;
    const value = this.#entries.get(key) as V;
    this.#entries.delete(key);
    this.drop(value);
  }
}
