import { markAsUntransferable } from 'node:worker_threads';
import type { NativeMr } from '../native/binding.js';
import type { Pd } from './pd.js';
import type { Access, RemoteMemory, Sge } from './types.js';

/** What {@link Mr.rereg} changes. */
export interface RegionChange {
  /** Protection domain to move to. */
  pd?: Pd;
  /** New rights. */
  access?: readonly Access[];
  /** Other memory. */
  memory?: number | ArrayBuffer | ArrayBufferView;
  /** Allocate that memory in huge pages. */
  hugePages?: boolean;
}

/**
 * A registered memory region: memory that the device may read and write, under its keys. Made by {@link Pd.regMr}.
 *
 * Deregistration happens at {@link close}, or when there is no reference to the region any more.
 */
export class Mr {
  readonly #native: NativeMr;
  #pd: Pd;
  #bytes: Uint8Array;
  #access: readonly Access[];

  /** @internal */
  constructor(pd: Pd, native: NativeMr, access: readonly Access[]) {
    this.#pd = pd;
    this.#native = native;
    this.#access = access;
    this.#bytes = this.#show();
  }

  #show(): Uint8Array {
    // A transferred buffer would leave the device with memory that another thread frees.
    markAsUntransferable(this.#native.buffer);
    return new Uint8Array(this.#native.buffer, this.#native.byteOffset, this.#native.length);
  }

  /** Protection domain that the region belongs to. */
  get pd(): Pd {
    return this.#pd;
  }
  /** Rights and options that it was registered with. */
  get access(): readonly Access[] {
    return this.#access;
  }

  /** @internal */
  get native(): NativeMr {
    return this.#native;
  }
  /** Virtual address of the first byte. */
  get addr(): bigint {
    return this.#native.addr;
  }
  /** Address of the first byte as work requests and peers name it: {@link addr}, or 0 with ZERO_BASED. */
  get iova(): bigint {
    return this.#access.includes('ZERO_BASED') ? 0n : this.#native.addr;
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
    return { addr: this.iova + BigInt(offset), rkey: this.rkey, length: this.length - offset };
  }

  /**
   * `ibv_rereg_mr`: changes the region in place, cheaper than closing it and registering another. What is left out
   * stays. The keys may change: read them again.
   *
   * @param change `pd`: protection domain to move to. `access`: new rights. `memory`: other memory, as {@link Pd.regMr}
   *   takes it; {@link bytes} shows it, and memory that the library allocated before is gone. `hugePages` as in `regMr`
   * @throws VerbsError EINVAL when nothing is given or the rights do not go together; EBUSY while a window is bound to
   *   it or a measuring loop uses it; ENOMEM; EOPNOTSUPP when the provider cannot
   */
  rereg(change: RegionChange): void {
    const { pd, access, memory } = change;
    this.#pd.rereg(this, change);
    if (pd !== undefined) this.#pd = pd;
    if (access !== undefined) this.#access = access;
    if (memory !== undefined) this.#bytes = this.#show();
  }

  /**
   * Unmaps the memory and maps new, zeroed pages at the same address, as `munmap` and `mmap` do, while the region stays
   * registered. A NIC, and the kernel's rxe, go on using the old pages, which the process no longer sees. The embedded
   * device works on the process's addresses and uses the new ones.
   *
   * @throws VerbsError EINVAL unless the library allocated the memory; EBUSY while a measuring loop uses the region
   */
  replacePages(): void {
    this.#native.replacePages();
  }

  /** `ibv_dereg_mr`. @throws VerbsError EBUSY while a measuring loop uses it or a window is bound to it */
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
