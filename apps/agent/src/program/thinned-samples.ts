/** Characters of samples after which only every other one is kept. */
const KEPT_CHARS = 4 * 1024 * 1024;
/** Interval of the device's samples, ns; they come a little early or late. */
const INTERVAL_NS = 90e6;

/**
 * Samples of one kind from a process, thinned: their interval doubles with every 4 MiB, so that a program that runs for
 * days does not fill its run. The last sample is always kept.
 */
export class ThinnedSamples<T> {
  readonly #tell: (sample: T, t: number) => void;
  readonly #isEnd: (sample: T) => boolean;
  #interval = INTERVAL_NS;
  #chars = 0;
  #next = 0;
  #held: { sample: T; t: number } | null = null;

  /** `isEnd`: nothing is left to be sampled. Such a sample counts at once, and the one before it too. */
  constructor(tell: (sample: T, t: number) => void, isEnd: (sample: T) => boolean) {
    this.#tell = tell;
    this.#isEnd = isEnd;
  }

  /** `t`: ns, on the same clock as that of `tick`. */
  take(t: number, sample: T): void {
    if (this.#isEnd(sample)) this.end();
    else if (t < this.#next) {
      this.#held = { sample, t };
      return;
    }
    this.#keep(sample, t);
  }

  /** Time has passed: a sample that was held back counts once its turn has come. */
  tick(t: number): void {
    if (this.#held !== null && t >= this.#next) this.#keep(this.#held.sample, this.#held.t);
  }

  /** No sample comes any more. */
  end(): void {
    if (this.#held !== null) this.#keep(this.#held.sample, this.#held.t);
  }

  #keep(sample: T, t: number): void {
    this.#held = null;
    this.#chars += JSON.stringify(sample).length;
    if (this.#chars > KEPT_CHARS) {
      this.#chars = 0;
      this.#interval *= 2;
    }
    this.#next = t + this.#interval;
    this.#tell(sample, t);
  }
}
