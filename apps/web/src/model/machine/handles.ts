/** An object that a call created and whose handle may not be known yet: a later call names it. */
interface Made {
  kind: string;
  id: string;
  /** Smallest handle that the object can have. */
  least: number;
  handle: number | null;
}

/**
 * Objects of an endpoint by handle, such as `MR 2`. A single counter numbers all objects of an endpoint, and the call
 * that creates an object does not record its handle. Later calls name it. Objects that no recorded call created leave
 * gaps.
 */
export class Handles {
  readonly #made: Made[] = [];
  #next = 1;

  add(kind: string, id: string): void {
    this.#made.push({ kind, id, least: this.#next++, handle: null });
  }

  /** The object with this handle; null if no recorded call created it. */
  find(kind: string, handle: number): string | null {
    const known = this.#made.find((one) => one.kind === kind && one.handle === handle);
    if (known) return known.id;
    const nameless = this.#made.filter((one) => one.kind === kind && one.handle === null);
    const found = nameless.findLast((one) => one.least <= handle) ?? nameless[0];
    if (!found) return null;
    found.handle = handle;
    const ahead = handle - found.least;
    if (ahead > 0) {
      // Objects created later have larger handles too.
      for (const one of this.#made.slice(this.#made.indexOf(found) + 1)) one.least += ahead;
      this.#next += ahead;
    }
    return found.id;
  }
}
