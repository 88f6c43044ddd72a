/**
 * Gives one after the other a short turn, one in each round of the event loop: however many streams are to be sent on,
 * what else the agent does waits for a single turn at most.
 */
export class FairQueue {
  #waiting: (() => void)[] = [];
  #scheduled = false;

  /** Calls `turn` once, when those that came before have had theirs. */
  add(turn: () => void): void {
    this.#waiting.push(turn);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || this.#waiting.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      const turn = this.#waiting.shift();
      this.#schedule();
      turn?.();
    });
  }
}
