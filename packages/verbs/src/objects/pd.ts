import { Ah, toAddress } from './ah.js';
import * as check from '../base/check.js';
import { Children } from './children.js';
import type { Context } from './context.js';
import { Cq } from './cq.js';
import { accessFlags, ALL_ACCESS, QP_TYPES, sendOps, WC_FLAGS } from './enums.js';
import { argumentError } from '../base/errors.js';
import { GRH_BYTES } from '../base/grh.js';
import { toMemory } from '../base/memory.js';
import { Mr, type RegionChange } from './mr.js';
import { Mw } from './mw.js';
import { binding, type NativeCmId, type NativePd } from '../native/binding.js';
import { Qp } from './qp.js';
import { Srq } from './srq.js';
import type { Access, Address, QpOptions, QpType, SrqOptions, WorkCompletion } from './types.js';

/** A protection domain. Memory regions and QPs work together only within a domain. Made by {@link Context.allocPd}. */
export class Pd {
  readonly #native: NativePd;
  readonly #children = new Children();

  /** @internal */
  constructor(
    /** Device of the protection domain. */
    readonly context: Context,
    native: NativePd,
  ) {
    this.#native = native;
  }

  /** True after {@link close}. */
  get closed(): boolean {
    return this.#native.closed;
  }

  /**
   * `ibv_reg_mr`: registers memory with the device, which pins its pages.
   *
   * @param memory a number of bytes (page-aligned zeroed memory is allocated), or the caller's memory: an ArrayBuffer,
   *   a view of a SharedArrayBuffer, a Buffer or another view. The caller must not transfer or resize it meanwhile
   * @param access rights and options; default: local write, remote write, read and atomic
   * @param options `hugePages`: allocate the memory in huge pages (`memory` must be a number). The device needs fewer
   *   translations, and registration is faster
   * @throws VerbsError EINVAL for 0 bytes, a type that is not memory, or incompatible rights; EOPNOTSUPP for an option
   *   that the device lacks (ON_DEMAND); ENOMEM if the memory is not available, may not be pinned (RLIMIT_MEMLOCK, in
   *   strict mode and on kernel devices), or there are too few free huge pages
   */
  regMr(
    memory: number | ArrayBuffer | ArrayBufferView,
    access: readonly Access[] = ALL_ACCESS,
    options: { hugePages?: boolean } = {},
  ): Mr {
    const call = 'ibv_reg_mr';
    const flags = accessFlags(call, access);
    const huge = check.flag(call, 'hugePages', options.hugePages ?? false);
    const place = toMemory(call, memory, this.context.attributes.maxMrSize, huge);
    return this.#children.add(new Mr(this, new binding.Mr(this.#native, place, flags, huge), access));
  }

  /** @internal The native part of {@link Mr.rereg}. */
  rereg(mr: Mr, { pd, access, memory, hugePages = false }: RegionChange): void {
    const call = 'ibv_rereg_mr';
    if (pd !== undefined) check.instance(call, 'pd', pd, Pd);
    const huge = check.flag(call, 'hugePages', hugePages);
    mr.native.rereg(
      pd === undefined ? null : pd.#native,
      memory === undefined ? null : toMemory(call, memory, this.context.attributes.maxMrSize, huge),
      access === undefined ? null : accessFlags(call, access),
      huge,
    );
    if (pd === undefined || pd === this) return;
    this.#children.remove(mr);
    pd.#children.add(mr);
  }

  /**
   * `ibv_alloc_mw`: a memory window that is not bound yet.
   *
   * @param type 1: bound by {@link Qp.bindMw}; 2 (2B): bound by a work request. `DeviceAttributes.windowTypes` lists
   *   the device's types
   * @throws VerbsError EOPNOTSUPP or EINVAL if the device has no such windows; ENOMEM beyond `maxMw`
   */
  allocMw(type: 1 | 2 = 2): Mw {
    check.integer('ibv_alloc_mw', 'type', type, 1, 2);
    return this.#children.add(new Mw(this, new binding.Mw(this.#native, type), type));
  }

  /**
   * `ibv_create_ah`: the path to a port, for datagrams.
   *
   * @param address `gid`: GID of the peer's port or of a multicast group; `gidIndex`: default, the GID that
   *   {@link Context.gid} chooses
   * @throws VerbsError EINVAL for an invalid address, or without `gid` on Ethernet
   */
  createAh(address: Address): Ah {
    const call = 'ibv_create_ah';
    const gidIndex = address.gidIndex ?? this.context.gid(address.port ?? 1).index;
    const native = new binding.Ah(this.#native, toAddress(call, { ...address, gidIndex }));
    return this.#children.add(new Ah(this, native));
  }

  /**
   * `ibv_create_ah_from_wc`: the path back to the sender of a datagram. The sender's QP is `sourceQpn` of the
   * completion.
   *
   * @param completion completion of the RECV
   * @param buffer receive buffer of the datagram from its first byte, with the GRH
   * @param port port that received the datagram
   * @throws VerbsError EINVAL if the completion has no GRH on Ethernet, or if the buffer is shorter than a GRH
   */
  createAhFrom(completion: WorkCompletion, buffer: Uint8Array, port = 1): Ah {
    const call = 'ibv_create_ah_from_wc';
    if (buffer.length < GRH_BYTES)
      throw argumentError(
        call,
        'buffer',
        `it has ${buffer.length} bytes, fewer than a GRH`,
        `Give the receive buffer from its start, ${GRH_BYTES} bytes or more.`,
      );
    const { grh, sourceQpn, sourceLid: slid, serviceLevel: sl, pathBits } = completion;
    const datagram = { flags: grh ? WC_FLAGS.grh : 0, sourceQpn, slid, sl, pathBits };
    const native = new binding.Ah(
      this.#native,
      datagram,
      buffer.subarray(0, GRH_BYTES),
      check.integer(call, 'port', port, 1, 255),
    );
    return this.#children.add(new Ah(this, native));
  }

  /**
   * `ibv_create_srq`: a receive queue for many QPs.
   *
   * @throws VerbsError EINVAL beyond `maxSrqWr` or `maxSrqSge` of the device; ENOMEM beyond `maxSrq`
   */
  createSrq({ maxWr, maxSge = 1 }: SrqOptions): Srq {
    const call = 'ibv_create_srq';
    const { maxSrqWr, maxSrqSge } = this.context.attributes;
    const native = new binding.Srq(
      this.#native,
      check.integer(call, 'maxWr', maxWr, 1, maxSrqWr),
      check.integer(call, 'maxSge', maxSge, 1, maxSrqSge),
    );
    return this.context.adopt(this.#children.add(new Srq(this, native)));
  }

  /**
   * `ibv_create_qp`, or `ibv_create_qp_ex` with `extended`. The QP starts in RESET; see {@link Qp.connect}, and
   * {@link Qp.activate} for UD.
   *
   * @throws VerbsError EINVAL or ENOMEM if the device cannot provide the requested QP; EOPNOTSUPP if it has no extended
   *   posting, or not for these operations
   */
  createQp(options: QpOptions): Qp {
    return this.createQpOf(null, options);
  }

  /** @internal Creates a QP, for the connection manager's id `cmId` if there is one. */
  createQpOf(cmId: NativeCmId | null, options: QpOptions): Qp {
    const call = cmId === null ? 'ibv_create_qp' : 'rdma_create_qp';
    const sendCq = check.instance(call, 'sendCq', options.sendCq, Cq);
    const recvCq = options.recvCq === undefined ? sendCq : check.instance(call, 'recvCq', options.recvCq, Cq);
    const type: QpType = check.oneOf(call, 'type', options.type ?? 'RC', ['RC', 'UC', 'UD'] as const);
    const count = (param: keyof QpOptions, fallback: number, max: number): number =>
      check.integer(call, param, options[param] ?? fallback, 0, max);
    const srq = options.srq === undefined ? null : check.instance(call, 'srq', options.srq, Srq);
    const limits = this.context.attributes;
    const native = new binding.Qp(this.#native, {
      type: QP_TYPES[type],
      sendCq: sendCq.native,
      recvCq: recvCq.native,
      maxSendWr: count('maxSendWr', 128, limits.maxQpWr),
      maxRecvWr: count('maxRecvWr', 128, limits.maxQpWr),
      maxSendSge: count('maxSendSge', 1, limits.maxSge),
      maxRecvSge: count('maxRecvSge', 1, limits.maxSge),
      maxInlineData: count('maxInlineData', 0, 65_536),
      signalAll: check.flag(call, 'signalAll', options.signalAll ?? false),
      srq: srq?.native ?? null,
      cmId,
      sendOps: sendOps(call, type, options.extended ?? false),
    });
    return this.#children.add(new Qp(this, native, type, sendCq, recvCq, srq));
  }

  /** `ibv_dealloc_pd`. @throws VerbsError EBUSY while an object made from it is open */
  close(): void {
    this.#native.close();
  }

  /**
   * Closes everything made from the domain, then the domain: QPs and windows before the SRQs and regions that they use.
   */
  closeAll(): void {
    const open = this.#children.open();
    for (const child of open) if (child instanceof Qp) child.close();
    for (const child of open) if (child instanceof Mw) child.close();
    this.#children.close();
    this.close();
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
