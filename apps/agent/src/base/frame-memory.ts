/** Sizes are rounded up to it. Smaller frames are left to the garbage collector. */
const STEP_BYTES = 64 * 1024;

/**
 * Memory of frames that is used again. Each fresh one of half a MiB counts as memory outside the heap, and V8 answers
 * so much of that with one collection of the whole heap after the other.
 *
 * What is taken and never given back is collected like anything else.
 */
export class FrameMemory {
  readonly #free = new Map<number, Buffer[]>();
  readonly #own = new WeakSet<ArrayBufferLike>();
  readonly #limit: number;
  #freeBytes = 0;

  /** `limit`: bytes that wait to be used again, at most. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** `bytes` bytes of any content, aligned to 8. */
  take(bytes: number): Buffer {
    // Not from Buffer's pool: columns want alignment, and a frame may be kept for long.
    if (bytes < STEP_BYTES) return Buffer.allocUnsafeSlow(bytes);
    const size = Math.ceil(bytes / STEP_BYTES) * STEP_BYTES;
    let whole = this.#free.get(size)?.pop();
    if (whole) this.#freeBytes -= size;
    else {
      whole = Buffer.allocUnsafeSlow(size);
      this.#own.add(whole.buffer);
    }
    return whole.subarray(0, bytes);
  }

  /** Takes `frame` back. It must not be read afterwards, nor given back twice. A frame from elsewhere is ignored. */
  give({ buffer }: Uint8Array): void {
    if (!this.#own.has(buffer) || this.#freeBytes + buffer.byteLength > this.#limit) return;
    const size = buffer.byteLength;
    const same = this.#free.get(size);
    const whole = Buffer.from(buffer as ArrayBuffer);
    if (same) same.push(whole);
    else this.#free.set(size, [whole]);
    this.#freeBytes += size;
  }

  /** Lets go of all that waits. */
  clear(): void {
    this.#free.clear();
    this.#freeBytes = 0;
  }
}
