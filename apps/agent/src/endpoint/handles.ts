import { AppError } from '@verbslab/protocol';

/** Objects of one kind by handle: a number that is never given out twice. */
export class Handles<T> {
  readonly #what: string;
  readonly #numbers: { next: number };
  readonly #objects = new Map<number, T>();

  /** `numbers` is shared by all kinds, so that a handle of the wrong kind is never taken for another object. */
  constructor(what: string, numbers: { next: number }) {
    this.#what = what;
    this.#numbers = numbers;
  }

  add(object: T): number {
    const handle = this.#numbers.next++;
    this.#objects.set(handle, object);
    return handle;
  }

  /** Returns the object of a handle. Throws AppError BAD_HANDLE. */
  get(handle: number): T {
    const object = this.#objects.get(handle);
    if (object === undefined) throw new AppError('BAD_HANDLE', { what: this.#what, handle });
    return object;
  }

  /** Returns the handle of an object; undefined if it has none. */
  handleOf(object: T): number | undefined {
    for (const [handle, each] of this.#objects) if (each === object) return handle;
    return undefined;
  }

  delete(handle: number): void {
    this.#objects.delete(handle);
  }

  /** The newest first: the order in which to destroy. */
  newestFirst(): [number, T][] {
    return [...this.#objects].reverse();
  }
}
