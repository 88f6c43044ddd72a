/**
 * Gives streams short turns, one per round of the event loop. The rest of the agent waits for a single turn at most,
 * however many streams are being sent.
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
