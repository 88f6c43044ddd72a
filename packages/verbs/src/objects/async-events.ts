import type { Cq } from './cq.js';
import { eventName, isCqEvent, isPortEvent, isQpEvent, isSrqEvent } from './enums.js';
import type { NativeContext } from '../native/binding.js';
import { Feed } from '../base/feed.js';
import type { Srq } from './srq.js';
import type { AsyncEvent } from './types.js';

/** The asynchronous events of a context and their listeners. The first listener starts to watch the device. */
export class AsyncEvents {
  readonly #native: NativeContext;
  readonly #listeners = new Set<(event: AsyncEvent) => void>();
  readonly #objects = new Map<number, WeakRef<Cq | Srq>>();
  readonly #feeds = new Set<Feed<AsyncEvent>>();
  #watching = false;
  #waiters = 0;
  #pruneAt = 64;

  constructor(native: NativeContext) {
    this.#native = native;
  }

  /** Adds an object that events name by its token. */
  know(token: number, object: Cq | Srq): void {
    this.#objects.set(token, new WeakRef(object));
    if (this.#objects.size < this.#pruneAt) return;
    for (const [known, ref] of this.#objects) if (ref.deref()?.closed ?? true) this.#objects.delete(known);
    this.#pruneAt = Math.max(64, 2 * this.#objects.size);
  }

  listen(listener: (event: AsyncEvent) => void): () => void {
    if (!this.#watching) {
      const listeners = this.#listeners;
      const describe = describer(this.#objects);
      this.#native.watchEvents((type, element) => {
        const event = describe(type, element);
        for (const call of [...listeners]) call(event);
      });
      this.#watching = true;
    }
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Yields events from this call on, so that none is missed between two steps of the iteration. */
  iterate(signal?: AbortSignal): AsyncGenerator<AsyncEvent, void, undefined> {
    const feed = new Feed<AsyncEvent>((on) => this.#hold(on));
    const stop = this.listen((event) => feed.push(event));
    this.#feeds.add(feed);
    return feed.iterate(signal, () => {
      stop();
      this.#feeds.delete(feed);
    });
  }

  #hold(on: boolean): void {
    this.#waiters += on ? 1 : -1;
    if (!this.#native.closed) this.#native.setRef(this.#waiters > 0);
  }

  /** Ends all iterations. The context is closed. */
  end(): void {
    for (const feed of this.#feeds) feed.end();
  }
}

function describer(
  objects: ReadonlyMap<number, WeakRef<Cq | Srq>>,
): (type: number, element: number) => AsyncEvent {
  return (number, element) => {
    const type = eventName(number);
    if (isQpEvent(type)) return { type, qpn: element };
    if (isPortEvent(type)) return { type, port: element };
    if (isCqEvent(type)) return { type, cq: objects.get(element)?.deref() as Cq | undefined };
    if (isSrqEvent(type)) return { type, srq: objects.get(element)?.deref() as Srq | undefined };
    return { type };
  };
}
