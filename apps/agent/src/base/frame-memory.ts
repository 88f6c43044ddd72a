/** Granularity of the sizes, bytes. Smaller frames are left to the garbage collector. */
const STEP_BYTES = 64 * 1024;

/**
 * Pool of memory for frames. A fresh frame of half a MiB counts as memory outside the heap, and much of that makes V8
 * collect the whole heap again and again.
 *
 * Memory that is taken and never given back is garbage-collected as usual.
 */
export class FrameMemory {
  readonly #free = new Map<number, Buffer[]>();
  readonly #own = new WeakSet<ArrayBufferLike>();
  readonly #limit: number;
  #freeBytes = 0;

  /** `limit`: largest number of free bytes that the pool keeps. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns `bytes` bytes of arbitrary content, aligned to 8. */
  take(bytes: number): Buffer {
    // Buffer's own pool does not do: columns need alignment, and a frame may be kept for long.
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

  /**
   * Takes `frame` back. The caller must not read it afterwards or give it back twice. A frame from elsewhere is
   * ignored.
   */
  give({ buffer }: Uint8Array): void {
    if (!this.#own.has(buffer) || this.#freeBytes + buffer.byteLength > this.#limit) return;
    const size = buffer.byteLength;
    const same = this.#free.get(size);
    const whole = Buffer.from(buffer as ArrayBuffer);
    if (same) same.push(whole);
    else this.#free.set(size, [whole]);
    this.#freeBytes += size;
  }

  /** Drops the free memory. */
  clear(): void {
    this.#free.clear();
    this.#freeBytes = 0;
  }
}
