import type { NativeMw } from '../native/binding.js';
import type { Pd } from './pd.js';
import type { RemoteMemory, WindowRange } from './types.js';

/**
 * A memory window: a separate key for a part of a memory region. A key is granted and revoked without registration.
 * Made by {@link Pd.allocMw}.
 *
 * Type 1 is bound by {@link Qp.bindMw}. Type 2 is bound by a work request BIND_MW with the key {@link nextRkey}, and
 * invalidated by LOCAL_INV here or a SEND with invalidate from the peer. While a window is bound, its region cannot be
 * closed.
 */
export class Mw {
  readonly #native: NativeMw;
  #range: WindowRange | undefined;

  /** @internal */
  constructor(
    /** Protection domain of the window. */
    readonly pd: Pd,
    native: NativeMw,
    /** Type of the window: 1 or 2 (2B). */
    readonly type: 1 | 2,
  ) {
    this.#native = native;
  }

  /** @internal */
  get native(): NativeMw {
    return this.#native;
  }
  /** Key for the peer, from the last bind. */
  get rkey(): number {
    return this.#native.rkey;
  }
  /** `ibv_inc_rkey`: the key for the next bind of a type 2 window. Only the lowest byte may differ. */
  get nextRkey(): number {
    const { rkey } = this;
    return ((rkey & 0xffff_ff00) | ((rkey + 1) & 0xff)) >>> 0;
  }
  /** True after {@link close}. */
  get closed(): boolean {
    return this.#native.closed;
  }

  /** @internal Range of the last accepted bind. It keeps the region from garbage collection. */
  set range(range: WindowRange) {
    this.#range = range;
  }

  /** Address and key with which a peer reaches the window. Plain data. @throws TypeError before the first bind */
  remote(): RemoteMemory & { addr: bigint; length: number } {
    if (this.#range === undefined) throw new TypeError('The window was never bound. Bind it first.');
    const { mr, offset = 0, length = mr.length - offset } = this.#range;
    return { addr: mr.iova + BigInt(offset), rkey: this.rkey, length };
  }

  /** `ibv_dealloc_mw`; unbinds a bound window. */
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
