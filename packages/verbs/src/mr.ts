import { markAsUntransferable } from 'node:worker_threads';
import type { NativeMr } from './native.js';
import type { Pd } from './pd.js';
import type { RemoteMemory, Sge } from './types.js';

/**
 * A registered memory region: memory that the device may read and write, under its keys. Made by {@link Pd.regMr}.
 *
 * Deregistration happens at {@link close}, or when there is no reference to the region any more.
 */
export class Mr {
  readonly #native: NativeMr;
  readonly #bytes: Uint8Array;

  /** @internal */
  constructor(
    /** Protection domain that the region belongs to. */
    readonly pd: Pd,
    native: NativeMr,
  ) {
    this.#native = native;
    this.#bytes = new Uint8Array(native.buffer, native.byteOffset, native.length);
    // A transferred buffer would leave the device with memory that another thread frees.
    markAsUntransferable(native.buffer);
  }

  /** @internal */
  get native(): NativeMr {
    return this.#native;
  }
  /** Virtual address of the first byte, as work requests and peers name it. */
  get addr(): bigint {
    return this.#native.addr;
  }
  /** Bytes. */
  get length(): number {
    return this.#native.length;
  }
  /** Key for local use (SGEs). */
  get lkey(): number {
    return this.#native.lkey;
  }
  /** Key to hand to the peer. */
  get rkey(): number {
    return this.#native.rkey;
  }
  /** The memory. Memory that the library allocated is gone (length 0) after {@link close}. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }
  /** Whether {@link close} was called. */
  get closed(): boolean {
    return this.#native.closed;
  }

  /** A piece of the region for a work request. @param offset default 0 @param length default: the rest */
  sge(offset = 0, length = this.length - offset): Sge {
    return { mr: this, offset, length };
  }

  /** What a peer needs to reach the region (from `offset` on) by WRITE, READ or atomics. Plain data. */
  remote(offset = 0): RemoteMemory & { addr: bigint; length: number } {
    return { addr: this.addr + BigInt(offset), rkey: this.rkey, length: this.length - offset };
  }

  /** `ibv_dereg_mr`. @throws VerbsError EBUSY while a measuring loop uses it */
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
