/** Holds a run in step mode before each step until the user continues. */
export class StepGate {
  #open: boolean;
  #closed = false;
  #waiting: { id: string; go: () => void } | null = null;

  constructor(open: boolean) {
    this.#open = open;
  }

  /** The step that waits, or null. */
  get waitingFor(): string | null {
    return this.#waiting?.id ?? null;
  }

  /** Resolves when the step may begin. `changed` is called when it begins and stops to wait. */
  async pass(id: string, changed: () => void): Promise<void> {
    if (this.#open) return;
    await new Promise<void>((go) => {
      if (this.#closed) return;
      this.#waiting = { id, go };
      changed();
    });
    changed();
  }

  /** The run ends: no step waits any more, and none that is not open yet begins. */
  close(): void {
    this.#closed = true;
    this.#waiting = null;
  }

  /** Lets the waiting step begin; with `all` also those that follow. False when none waits. */
  go(all: boolean): boolean {
    if (all) this.#open = true;
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.go();
    return waiting !== null;
  }
}
