import type { Context } from './context.js';
import type { Cq } from './cq.js';
import type { NativeCompChannel } from './native.js';

/**
 * A completion channel: where CQs announce that something came. Made by {@link Context.createCompChannel}.
 *
 * While a caller waits, a thread of the addon sleeps on the channel's descriptor and wakes the event loop once a batch;
 * there is no timer. A waiting {@link Cq.completions} keeps the process alive, an idle channel does not.
 */
export class CompChannel {
  readonly #native: NativeCompChannel;
  readonly #cqs = new Map<number, WeakRef<Cq>>();
  #watching = false;
  #waiters = 0;

  /** @internal */
  constructor(
    /** The device that it belongs to. */
    readonly context: Context,
    native: NativeCompChannel,
  ) {
    this.#native = native;
  }

  /** @internal */
  get native(): NativeCompChannel {
    return this.#native;
  }
  /** The descriptor, for programs that watch it themselves. Do not mix that with waiting through this package. */
  get fd(): number {
    return this.#native.fd;
  }
  /** Whether {@link close} was called. */
  get closed(): boolean {
    return this.#native.closed;
  }

  /** @internal */
  attach(cq: Cq): void {
    this.#cqs.set(cq.native.token, new WeakRef(cq));
  }
  /** @internal */
  detach(cq: Cq): void {
    this.#cqs.delete(cq.native.token);
  }

  /** @internal A caller waits for an event: watch, and keep the process alive. */
  hold(): void {
    if (!this.#watching) {
      const cqs = this.#cqs;
      this.#native.watch((tokens) => {
        for (const token of tokens) cqs.get(token)?.deref()?.notified();
      });
      this.#watching = true;
    }
    if (this.#waiters++ === 0) this.#native.setRef(true);
  }
  /** @internal */
  release(): void {
    if (--this.#waiters === 0 && !this.#native.closed) this.#native.setRef(false);
  }

  /** `ibv_destroy_comp_channel`. @throws VerbsError EBUSY while CQs of it are open */
  close(): void {
    this.#native.close();
  }
  [Symbol.dispose](): void {
    this.close();
  }
  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve().then(() => {
      this.close();
    });
  }
}
