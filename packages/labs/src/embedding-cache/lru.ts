/** The rows in the slots of a cache; the least recently used one makes room. */
export class LruCache {
  readonly #slots = new Map<number, number>();
  readonly #free: number[];

  constructor(slots: number) {
    this.#free = Array.from({ length: slots }, (_, i) => slots - 1 - i);
  }

  get full(): boolean {
    return this.#free.length === 0;
  }

  /** Row and slot, the least recently used first. */
  entries(): [number, number][] {
    return [...this.#slots];
  }

  /** The slot that holds the row, which counts as a use of it; undefined if none does. */
  find(row: number): number | undefined {
    const slot = this.#slots.get(row);
    if (slot === undefined) return undefined;
    this.#slots.delete(row);
    this.#slots.set(row, slot);
    return slot;
  }

  /** A slot for a row that is not in the cache. */
  place(row: number): number {
    let slot = this.#free.pop();
    if (slot === undefined) {
      const [oldest, its] = this.#slots.entries().next().value!;
      this.#slots.delete(oldest);
      slot = its;
    }
    this.#slots.set(row, slot);
    return slot;
  }

  drop(row: number): void {
    const slot = this.#slots.get(row);
    if (slot === undefined) return;
    this.#slots.delete(row);
    this.#free.push(slot);
  }
}
