import type { WebSocket } from 'ws';

/** Longest time to read from a connection before the rest of the agent gets its turn, ms. */
const BURST_MS = 25;

/**
 * Keeps the reading of a connection to half of the time: after a longer burst, reading pauses for as long as the burst
 * took. Data that the other side sends meanwhile waits there, so it takes no memory here.
 */
export class Pace {
  readonly #socket: WebSocket;
  #since = performance.now();
  #spent = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.once('close', () => {
      if (this.#timer) clearTimeout(this.#timer);
    });
  }

  /** Reports `ms` milliseconds of reading. */
  spent(ms: number): void {
    this.#spent += ms;
    const idle = performance.now() - this.#since - this.#spent;
    if (this.#spent < BURST_MS || this.#timer) return;
    const owed = this.#spent - idle;
    if (owed <= 0) {
      this.#restart();
      return;
    }
    this.#socket.pause();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#restart();
      this.#socket.resume();
    }, owed);
  }

  #restart(): void {
    this.#since = performance.now();
    this.#spent = 0;
  }
}
