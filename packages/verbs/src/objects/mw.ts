import type { NativeMw } from '../native/binding.js';
import type { Pd } from './pd.js';
import type { RemoteMemory, WindowRange } from './types.js';

/**
 * A memory window: a key of its own for a part of a memory region, given out and taken back without registering
 * anything. Made by {@link Pd.allocMw}.
 *
 * Type 1 is bound by {@link Qp.bindMw}; type 2 by a work request BIND_MW with the key {@link nextRkey}, and ended by
 * LOCAL_INV here or a SEND with invalidate from the peer. While it is bound, its region cannot be closed.
 */
export class Mw {
  readonly #native: NativeMw;
  #range: WindowRange | undefined;

  /** @internal */
  constructor(
    /** The protection domain that it belongs to. */
    readonly pd: Pd,
    native: NativeMw,
    /** 1 or 2 (2B). */
    readonly type: 1 | 2,
  ) {
    this.#native = native;
  }

  /** @internal */
  get native(): NativeMw {
    return this.#native;
  }
  /** Key to hand to the peer, as of the last bind. */
  get rkey(): number {
    return this.#native.rkey;
  }
  /** `ibv_inc_rkey`: the key for the next bind of a window of type 2; only the lowest byte may differ. */
  get nextRkey(): number {
    const { rkey } = this;
    return ((rkey & 0xffff_ff00) | ((rkey + 1) & 0xff)) >>> 0;
  }
  /** Whether {@link close} was called. */
  get closed(): boolean {
    return this.#native.closed;
  }

  /** @internal The last bind that was accepted. Keeps the region from being collected. */
  set range(range: WindowRange) {
    this.#range = range;
  }

  /** What a peer needs to reach the window. Plain data. @throws TypeError before the first bind */
  remote(): RemoteMemory & { addr: bigint; length: number } {
    if (this.#range === undefined) throw new TypeError('The window was never bound. Bind it first.');
    const { mr, offset = 0, length = mr.length - offset } = this.#range;
    return { addr: mr.iova + BigInt(offset), rkey: this.rkey, length };
  }

  /** `ibv_dealloc_mw`; a bound window is unbound. */
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
