/**
 * Records of single completions, from a loop's thread to JavaScript without a call per record.
 *
 * The ring is in a SharedArrayBuffer, with one writer (the loop) and one reader. The cheapest way to drain it is a
 * timer of a few milliseconds (about 0.08 of a core for one million records per second).
 *
 * Layout, in 32-bit words: 64 words of header, then `capacity` records of {@link RECORD_WORDS}.
 *   0  records written, modulo 2^32 (writer)      16  records read, modulo 2^32 (reader)
 *  32  records dropped, low word (writer)         33  high word
 *  48  capacity (a power of two)
 */
export const RING_HEADER_WORDS = 64;
/** Words per record: see {@link CompletionRing.read}. */
export const RECORD_WORDS = 8;

const WRITTEN = 0;
const READ = 16;
const DROPPED = 32;
const CAPACITY = 48;

/** The reader's end of a ring. The buffer may be passed to a worker, which reads instead. */
export class CompletionRing {
  /** Most records in the ring. */
  readonly capacity: number;
  readonly #words: Uint32Array;

  constructor(
    /** Memory of the ring, from a loop or from another thread. */
    readonly buffer: SharedArrayBuffer,
  ) {
    this.#words = new Uint32Array(buffer);
    this.capacity = this.#words[CAPACITY]!;
  }

  /** @internal */
  static create(capacity: number): CompletionRing {
    const rounded = 2 ** Math.ceil(Math.log2(Math.max(64, capacity)));
    const buffer = new SharedArrayBuffer(4 * (RING_HEADER_WORDS + rounded * RECORD_WORDS));
    new Uint32Array(buffer)[CAPACITY] = rounded;
    return new CompletionRing(buffer);
  }

  /** @internal */
  get words(): Uint32Array {
    return this.#words;
  }

  /** Number of records that can be read. */
  get available(): number {
    return (Atomics.load(this.#words, WRITTEN) - Atomics.load(this.#words, READ)) >>> 0;
  }

  /** Records lost since the start because the reader lagged. */
  get dropped(): number {
    return Atomics.load(this.#words, DROPPED + 1) * 2 ** 32 + Atomics.load(this.#words, DROPPED);
  }

  /**
   * Takes records, oldest first. Returns a copy with 8 words per record:
   * `{t lo, t hi, wr_id lo, batch, qpn, meta, byte_len, latency}`. `t` is the time of the poll
   * (CLOCK_MONOTONIC, ns); `batch` is the number of completions that the poll returned; `meta` is
   * wc opcode | status << 8 | flags << 16; `latency` is ns from post to completion, 0xffffffff if longer or unknown
   * (RECVs).
   */
  read(max = this.capacity): Uint32Array {
    const words = this.#words;
    const read = Atomics.load(words, READ);
    const count = Math.min(max, (Atomics.load(words, WRITTEN) - read) >>> 0);
    const out = new Uint32Array(count * RECORD_WORDS);
    const first = read & (this.capacity - 1);
    const head = Math.min(count, this.capacity - first);
    const at = RING_HEADER_WORDS + first * RECORD_WORDS;
    out.set(words.subarray(at, at + head * RECORD_WORDS));
    if (count > head)
      out.set(
        words.subarray(RING_HEADER_WORDS, RING_HEADER_WORDS + (count - head) * RECORD_WORDS),
        head * RECORD_WORDS,
      );
    Atomics.store(words, READ, (read + count) >>> 0);
    return out;
  }

  /**
   * Passes at most `max` records to `visit` without a copy, oldest first, in at most two calls (the ring wraps).
   * `words`: the words of the ring. `at`: index of the first record's first word. `count`: number of records. The
   * writer may overwrite them after the return.
   *
   * @returns the number of records
   */
  consume(max: number, visit: (words: Uint32Array, at: number, count: number) => void): number {
    const words = this.#words;
    const read = Atomics.load(words, READ);
    const count = Math.min(max, (Atomics.load(words, WRITTEN) - read) >>> 0);
    const first = read & (this.capacity - 1);
    const head = Math.min(count, this.capacity - first);
    if (head > 0) visit(words, RING_HEADER_WORDS + first * RECORD_WORDS, head);
    if (count > head) visit(words, RING_HEADER_WORDS, count - head);
    Atomics.store(words, READ, (read + count) >>> 0);
    return count;
  }
}
