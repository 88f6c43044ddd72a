/** Largest number of events kept for a lab that asks late. */
const KEPT = 1024;

/** Events of one kind between their source, the device or the connection manager, and a lab that waits for them. */
export class EventLog<T> {
  #events: T[] = [];
  #wake: (() => void) | undefined;

  add(event: T): void {
    this.#events.push(event);
    if (this.#events.length > KEPT) this.#events.shift();
    this.#wake?.();
  }

  /**
   * Returns the events since the last call. Without any, waits at most `timeoutMs` for the first. Only one caller at a
   * time.
   */
  async take(timeoutMs: number): Promise<T[]> {
    if (this.#events.length === 0)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.#wake = undefined;
    const events = this.#events;
    this.#events = [];
    return events;
  }
}
