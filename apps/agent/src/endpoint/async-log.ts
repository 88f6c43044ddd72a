import type { z } from 'zod';
import type { zAsync } from '@verbslab/protocol';

export type AsyncShown = z.infer<typeof zAsync>;

/** Events kept for a lab that asks late. */
const KEPT = 1024;

/** Events between the device and a lab that waits for them. */
export class AsyncLog<T = AsyncShown> {
  #events: T[] = [];
  #wake: (() => void) | undefined;

  add(event: T): void {
    this.#events.push(event);
    if (this.#events.length > KEPT) this.#events.shift();
    this.#wake?.();
  }

  /** What came since the last call; waits for one at most so long. One caller at a time. */
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
