/** An object that a call has made, before a later call names it by its handle. */
interface Made {
  kind: string;
  id: string;
  /** The smallest handle that it can have. */
  least: number;
  handle: number | null;
}

/**
 * Which object a handle of an endpoint means: `MR 2`. One counter numbers all objects of an endpoint, and the call that makes
 * an object does not record its handle. Later calls name it; objects that no recorded call made leave gaps.
 */
export class Handles {
  readonly #made: Made[] = [];
  #next = 1;

  add(kind: string, id: string): void {
    this.#made.push({ kind, id, least: this.#next++, handle: null });
  }

  /** The object; null if no recorded call made it. */
  find(kind: string, handle: number): string | null {
    const known = this.#made.find((one) => one.kind === kind && one.handle === handle);
    if (known) return known.id;
    const nameless = this.#made.filter((one) => one.kind === kind && one.handle === null);
    const found = nameless.findLast((one) => one.least <= handle) ?? nameless[0];
    if (!found) return null;
    found.handle = handle;
    const ahead = handle - found.least;
    if (ahead > 0) {
      // What was made after it has a larger number too.
      for (const one of this.#made.slice(this.#made.indexOf(found) + 1)) one.least += ahead;
      this.#next += ahead;
    }
    return found.id;
  }
}
