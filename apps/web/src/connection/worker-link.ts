import type { FromStream, Link, ToStream } from './link';

/** The link to a worker, which is started with the first message to it. */
export class WorkerLink implements Link {
  #worker: Worker | null = null;
  #ended = false;
  #hear: (m: FromStream) => void = () => undefined;

  listen(hear: (m: FromStream) => void): void {
    this.#hear = hear;
  }

  post(m: ToStream): void {
    if (this.#ended) return;
    this.#worker ??= this.#start();
    this.#worker.postMessage(m);
  }

  end(): void {
    this.#ended = true;
    this.#worker?.terminate();
    this.#worker = null;
  }

  #start(): Worker {
    const worker = new Worker(new URL('./stream.worker.ts', import.meta.url), { name: 'stream' });
    let heard = false;
    worker.onmessage = (e: MessageEvent<FromStream>) => {
      heard = true;
      if (this.#worker === worker) this.#hear(e.data);
    };
    // An agent that ended while the page was loading cannot hand out the script either: the next attempt asks again.
    worker.onerror = () => {
      if (heard || this.#worker !== worker) return;
      worker.terminate();
      this.#worker = null;
      this.#hear({ type: 'closed' });
    };
    return worker;
  }
}
