/** Limit of PSNs that are kept per requester: more than any device has in flight, and 192 KiB at most. */
const MOST = 1 << 14;
const LEAST = 64;

/**
 * Times and packet numbers of the last PSNs of a requester. Positions are PSNs with the 24-bit wrap undone. Grows with
 * its contents, up to a fixed size.
 */
export class SentPsns {
  #numbers = new Uint32Array(LEAST);
  #times = new Float64Array(LEAST);
  /** Position after the highest one. */
  #end = 0;
  #start = 0;

  reset(position: number): void {
    this.#end = this.#start = position;
    this.#numbers.fill(0);
  }

  /** Returns the packet number of a position; 0 if it was not captured or is too long ago. */
  number(position: number): number {
    if (position < this.#start || position >= this.#end) return 0;
    return this.#numbers[position & (this.#numbers.length - 1)]!;
  }

  time(position: number): number {
    return this.#times[position & (this.#times.length - 1)]!;
  }

  /** Remembers `span` positions. Skipped positions count as not captured. */
  put(position: number, span: number, number: number, t: number): void {
    const end = position + span;
    // Packets from before the first captured one can come again.
    if (position < this.#start && this.#end - position <= MOST) this.#back(position);
    if (end > this.#end) {
      this.#room(end);
      const size = this.#numbers.length;
      // Skipped positions replace the entries of one round earlier.
      for (let p = Math.max(this.#end, end - size); p < end; p++) this.#numbers[p & (size - 1)] = 0;
      this.#end = end;
      this.#start = Math.max(this.#start, end - size);
    }
    const mask = this.#numbers.length - 1;
    for (let p = Math.max(position, this.#start); p < end; p++) {
      this.#numbers[p & mask] = number;
      this.#times[p & mask] = t;
    }
  }

  #back(position: number): void {
    const old = this.#start;
    this.#start = position;
    this.#room(this.#end, old);
    const mask = this.#numbers.length - 1;
    for (let p = position; p < old; p++) this.#numbers[p & mask] = 0;
  }

  #room(end: number, from = this.#start): void {
    const size = this.#numbers.length;
    const wanted = end - this.#start;
    if (wanted <= size || size === MOST) return;
    let next = size;
    while (next < wanted && next < MOST) next *= 2;
    const numbers = new Uint32Array(next);
    const times = new Float64Array(next);
    for (let p = Math.max(from, this.#end - size); p < this.#end; p++) {
      numbers[p & (next - 1)] = this.#numbers[p & (size - 1)]!;
      times[p & (next - 1)] = this.#times[p & (size - 1)]!;
    }
    this.#numbers = numbers;
    this.#times = times;
  }
}
