import { leaveOpen } from './leave-open.js';

/** An object that `closeAll()` can close. */
export interface Closable {
  readonly closed: boolean;
  close(): void;
}

/** Open children of an object, held weakly. A child without other references may be collected, unless it is watched. */
export class Children {
  #refs = new Set<WeakRef<Closable>>();
  #pruneAt = 64;

  add<T extends Closable>(child: T): T {
    this.#refs.add(new WeakRef(child));
    if (this.#refs.size >= this.#pruneAt) {
      for (const ref of this.#refs) if (ref.deref()?.closed ?? true) this.#refs.delete(ref);
      this.#pruneAt = Math.max(64, 2 * this.#refs.size);
    }
    return leaveOpen(child);
  }

  /** Removes a child that now belongs to another object. */
  remove(child: Closable): void {
    for (const ref of this.#refs) if (ref.deref() === child) this.#refs.delete(ref);
  }

  /** Open children, newest first. */
  open(): Closable[] {
    return [...this.#refs]
      .map((ref) => ref.deref())
      .filter((child) => child !== undefined)
      .filter((child) => !child.closed)
      .reverse();
  }

  /** Closes all open children, newest first. */
  close(): void {
    for (const child of this.open()) child.close();
    this.#refs.clear();
  }
}
