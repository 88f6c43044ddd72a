/** Which of the registered regions goes when another needs its place. */
export type Eviction = 'lru' | 'mru';

/** Keeps what was made for a key, up to a number of entries. */
export class RegionCache<K, V> {
  /** Oldest use first. */
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

  /** The entry of a key, made if it is missing. Entries are dropped before one is made. */
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

  /** The user of the last entry is done with it. Drops what the capacity does not allow; returns how many. */
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
