import { markAsUntransferable } from 'node:worker_threads';
import type { NativeMr } from '../native/binding.js';
import type { Pd } from './pd.js';
import type { Access, RemoteMemory, Sge } from './types.js';

/** Changes for {@link Mr.rereg}. */
export interface RegionChange {
  /** New protection domain. */
  pd?: Pd;
  /** New rights. */
  access?: readonly Access[];
  /** New memory. */
  memory?: number | ArrayBuffer | ArrayBufferView;
  /** True to allocate the new memory in huge pages. */
  hugePages?: boolean;
}

/**
 * A registered memory region: memory that the device may read and write, with its keys. Made by {@link Pd.regMr}.
 *
 * The region is deregistered by {@link close}, or when there is no reference to it any more.
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
  /** Rights and options of the registration. */
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
  /** Address of the first byte in work requests and at peers: {@link addr}, or 0 with ZERO_BASED. */
  get iova(): bigint {
    return this.#access.includes('ZERO_BASED') ? 0n : this.#native.addr;
  }
  /** Length, bytes. */
  get length(): number {
    return this.#native.length;
  }
  /** Key for local use (SGEs). */
  get lkey(): number {
    return this.#native.lkey;
  }
  /** Key for the peer. */
  get rkey(): number {
    return this.#native.rkey;
  }
  /** The memory of the region. Memory that the library allocated is gone (length 0) after {@link close}. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }
  /** True after {@link close}. */
  get closed(): boolean {
    return this.#native.closed;
  }

  /** A scatter/gather entry for a part of the region. @param offset default 0 @param length default: the rest */
  sge(offset = 0, length = this.length - offset): Sge {
    return { mr: this, offset, length };
  }

  /** Address and key with which a peer reaches the region from `offset` by WRITE, READ or atomics. Plain data. */
  remote(offset = 0): RemoteMemory & { addr: bigint; length: number } {
    return { addr: this.iova + BigInt(offset), rkey: this.rkey, length: this.length - offset };
  }

  /**
   * `ibv_rereg_mr`: changes the region in place. This is cheaper than closing it and registering another one. Omitted
   * properties stay. The keys may change: read them again.
   *
   * @param change `pd`: new protection domain. `access`: new rights. `memory`: new memory, as for {@link Pd.regMr};
   *   {@link bytes} then shows it, and memory that the library allocated before is gone. `hugePages` as in `regMr`
   * @throws VerbsError EINVAL without any change or if the rights are not compatible; EBUSY while a window is bound to
   *   the region or a measuring loop uses it; ENOMEM; EOPNOTSUPP if the provider cannot change it
   */
  rereg(change: RegionChange): void {
    const { pd, access, memory } = change;
    this.#pd.rereg(this, change);
    if (pd !== undefined) this.#pd = pd;
    if (access !== undefined) this.#access = access;
    if (memory !== undefined) this.#bytes = this.#show();
  }

  /**
   * Unmaps the memory and maps new, zeroed pages at the same address, like `munmap` and `mmap`, while the region stays
   * registered. A NIC and the kernel's rxe continue to use the old pages, which the process no longer sees. The
   * embedded device works on the process's addresses and uses the new pages.
   *
   * @throws VerbsError EINVAL unless the library allocated the memory; EBUSY while a measuring loop uses the region
   */
  replacePages(): void {
    this.#native.replacePages();
  }

  /** `ibv_dereg_mr`. @throws VerbsError EBUSY while a measuring loop uses the region or a window is bound to it */
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
