/** Bytes that arrive in pieces of any size and are taken in the sizes of a format. */
export class ByteSource {
  readonly #pieces: AsyncIterator<Uint8Array>;
  readonly #ended: (where: string) => Error;
  #waiting: Uint8Array[] = [];
  #held = 0;

  /** @param ended makes the error for bytes that end too early */
  constructor(pieces: AsyncIterable<Uint8Array>, ended: (where: string) => Error) {
    this.#pieces = pieces[Symbol.asyncIterator]();
    this.#ended = ended;
  }

  /** Takes `length` bytes. Rejects if fewer are left; `where` names the part that ends. */
  async take(length: number, where: string): Promise<Uint8Array> {
    const bytes = await this.upTo(length);
    if (bytes.length < length) throw this.#ended(where);
    return bytes;
  }

  /** Takes the next `length` bytes, or all that are left. */
  async upTo(length: number): Promise<Uint8Array> {
    while (this.#held < length) {
      const next = await this.#pieces.next();
      if (next.done) break;
      this.#waiting.push(next.value);
      this.#held += next.value.length;
    }
    return this.#cut(Math.min(length, this.#held));
  }

  /** Ends the source of the bytes. */
  async close(): Promise<void> {
    await this.#pieces.return?.();
  }

  #cut(length: number): Uint8Array {
    this.#held -= length;
    const [first] = this.#waiting;
    if (first && first.length > length) {
      this.#waiting[0] = first.subarray(length);
      return first.subarray(0, length);
    }
    const bytes = new Uint8Array(length);
    let used = 0;
    let whole = 0;
    while (used < length) {
      const part = this.#waiting[whole]!.subarray(0, length - used);
      bytes.set(part, used);
      used += part.length;
      if (part.length === this.#waiting[whole]!.length) whole++;
      else this.#waiting[whole] = this.#waiting[whole]!.subarray(part.length);
    }
    this.#waiting = this.#waiting.slice(whole);
    return bytes;
  }
}
