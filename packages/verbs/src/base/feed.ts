/** A queue between a callback that adds items and an iteration that takes them. */
export class Feed<T> {
  readonly #items: T[] = [];
  readonly #hold: (on: boolean) => void;
  #wake: (() => void) | undefined;
  #ended = false;

  /** @param hold called with true when the iteration starts to wait, with false when it stops waiting */
  constructor(hold: (on: boolean) => void = () => undefined) {
    this.#hold = hold;
  }

  push(item: T): void {
    this.#items.push(item);
    this.#wake?.();
  }

  /** Ends the iteration after the queued items. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** Yields items until {@link end} or the signal's abort; one iteration at a time. Calls `done` at the end. */
  async *iterate(
    signal: AbortSignal | undefined,
    done: () => void = () => undefined,
  ): AsyncGenerator<T, void, undefined> {
    try {
      for (;;) {
        if (signal?.aborted) return;
        const item = this.#items.shift();
        if (item !== undefined) yield item;
        else if (this.#ended) return;
        else await this.#sleep(signal);
      }
    } finally {
      done();
    }
  }

  async #sleep(signal: AbortSignal | undefined): Promise<void> {
    this.#hold(true);
    let stop: () => void = () => undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      stop = () => resolve();
      signal?.addEventListener('abort', stop);
    });
    signal?.removeEventListener('abort', stop);
    this.#wake = undefined;
    this.#hold(false);
  }
}
