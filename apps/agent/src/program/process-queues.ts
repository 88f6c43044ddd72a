import type { QueueSample } from '@verbslab/protocol';

/** Characters of samples after which only every other one is kept. */
const KEPT_CHARS = 4 * 1024 * 1024;
/** Interval of the device's samples, ns; they come a little early or late. */
const INTERVAL_NS = 90e6;

/**
 * Samples of a process's queues, thinned: with each 4 MiB the interval between them doubles, so that a program that
 * runs for days does not fill its run. The last sample is always kept.
 */
export class ProcessQueues {
  readonly #tell: (sample: QueueSample, t: number) => void;
  #interval = INTERVAL_NS;
  #chars = 0;
  #next = 0;
  #held: { sample: QueueSample; t: number } | null = null;

  constructor(tell: (sample: QueueSample, t: number) => void) {
    this.#tell = tell;
  }

  take(t: number, { queues, others }: QueueSample): void {
    const sample = { queues, others };
    // The end of all queues counts at once.
    if (t < this.#next && queues.length > 0) {
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

  #keep(sample: QueueSample, t: number): void {
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
