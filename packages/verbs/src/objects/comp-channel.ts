import type { Context } from './context.js';
import type { Cq } from './cq.js';
import type { NativeCompChannel } from '../native/binding.js';

/**
 * State of a CQ on the channel. While callers wait, only `held` keeps the CQ and its callers from garbage collection.
 */
interface AttachedCq {
  ref: WeakRef<Cq>;
  waiters: number;
  held: Cq | undefined;
}

/**
 * A completion channel, on which CQs announce completions. Made by {@link Context.createCompChannel}.
 *
 * While a caller waits, a thread of the addon sleeps on the channel's descriptor and wakes the event loop once per
 * batch, without a timer. A waiting {@link Cq.completions} keeps the process alive, an idle channel does not.
 */
export class CompChannel {
  readonly #native: NativeCompChannel;
  readonly #cqs = new Map<number, AttachedCq>();
  #watching = false;
  #waiters = 0;

  /** @internal */
  constructor(
    /** Device of the channel. */
    readonly context: Context,
    native: NativeCompChannel,
  ) {
    this.#native = native;
  }

  /** @internal */
  get native(): NativeCompChannel {
    return this.#native;
  }
  /**
   * Descriptor of the channel, for programs that watch it themselves. Do not mix that with waiting through this
   * package.
   */
  get fd(): number {
    return this.#native.fd;
  }
  /** True after {@link close}. */
  get closed(): boolean {
    return this.#native.closed;
  }

  /** @internal */
  attach(cq: Cq): void {
    this.#cqs.set(cq.native.token, { ref: new WeakRef(cq), waiters: 0, held: undefined });
  }
  /** @internal */
  detach(cq: Cq): void {
    this.#cqs.delete(cq.native.token);
  }

  /**
   * @internal Starts or ends the wait of a caller for an event of `cq`. The wait keeps the CQ and the process alive.
   */
  hold(cq: Cq, on: boolean): void {
    if (!this.#watching) this.#watch();
    const change = on ? 1 : -1;
    const attached = this.#cqs.get(cq.native.token);
    if (attached) {
      attached.waiters += change;
      attached.held = attached.waiters > 0 ? cq : undefined;
    }
    this.#waiters += change;
    if (!this.#native.closed) this.#native.setRef(this.#waiters > 0);
  }

  #watch(): void {
    const cqs = this.#cqs;
    this.#native.watch((tokens) => {
      for (const token of tokens) cqs.get(token)?.ref.deref()?.notified();
    });
    this.#watching = true;
  }

  /** `ibv_destroy_comp_channel`. @throws VerbsError EBUSY while its CQs are open */
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
