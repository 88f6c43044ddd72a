import { argumentError } from './errors.js';
import * as check from './check.js';
import { Children } from './children.js';
import type { Context } from './context.js';
import { Cq } from './cq.js';
import { accessFlags, ALL_ACCESS, QP_TYPES } from './enums.js';
import { Mr } from './mr.js';
import { binding, type NativePd } from './native.js';
import { Qp } from './qp.js';
import type { Access, QpOptions, QpType } from './types.js';

/** A protection domain: memory regions and QPs work together only inside one. Made by {@link Context.allocPd}. */
export class Pd {
  readonly #native: NativePd;
  readonly #children = new Children();

  /** @internal */
  constructor(
    /** The device that it belongs to. */
    readonly context: Context,
    native: NativePd,
  ) {
    this.#native = native;
  }

  /** Whether {@link close} was called. */
  get closed(): boolean {
    return this.#native.closed;
  }

  /**
   * `ibv_reg_mr`: registers memory with the device, which pins its pages.
   *
   * @param memory a number of bytes (page-aligned zeroed memory is allocated), or memory of yours: an ArrayBuffer, a
   *   SharedArrayBuffer's view, a Buffer or another view. Yours must not be transferred or resized meanwhile.
   * @param access rights; default: everything but RELAXED_ORDERING
   * @throws VerbsError EINVAL for 0 bytes or a type that is not memory; ENOMEM when the memory is not there, or may
   *   not be pinned (RLIMIT_MEMLOCK, in strict mode and on kernel devices)
   */
  regMr(memory: number | ArrayBuffer | ArrayBufferView, access: readonly Access[] = ALL_ACCESS): Mr {
    const flags = accessFlags('ibv_reg_mr', access);
    return this.#children.add(new Mr(this, new binding.Mr(this.#native, this.#memory(memory), flags)));
  }

  #memory(memory: unknown): number | Uint8Array {
    const hint = 'Give a number of bytes, an ArrayBuffer, or a view such as a Buffer.';
    if (typeof memory === 'number') {
      if (!Number.isInteger(memory) || memory < 1)
        throw argumentError(
          'ibv_reg_mr',
          'memory',
          `${memory} bytes cannot be registered`,
          'Register 1 byte or more.',
        );
      const limit = this.context.attributes.maxMrSize;
      if (BigInt(memory) > limit)
        throw argumentError(
          'ibv_reg_mr',
          'memory',
          `${memory} bytes are more than the device takes in one region (${limit})`,
          'Register less memory, or several regions.',
        );
      return memory;
    }
    if (memory instanceof ArrayBuffer) {
      if (isResizable(memory))
        throw argumentError(
          'ibv_reg_mr',
          'memory',
          'the ArrayBuffer is resizable',
          'Use one of a fixed length.',
        );
      return this.#notEmpty(new Uint8Array(memory));
    }
    if (ArrayBuffer.isView(memory)) {
      const { buffer, byteOffset, byteLength } = memory;
      if (buffer instanceof ArrayBuffer && isResizable(buffer))
        throw argumentError(
          'ibv_reg_mr',
          'memory',
          'its ArrayBuffer is resizable',
          'Use one of a fixed length.',
        );
      return this.#notEmpty(new Uint8Array(buffer, byteOffset, byteLength));
    }
    throw argumentError('ibv_reg_mr', 'memory', `a value of type ${typeof memory} is not memory`, hint);
  }

  #notEmpty(view: Uint8Array): Uint8Array {
    if (view.byteLength === 0)
      throw argumentError('ibv_reg_mr', 'memory', '0 bytes cannot be registered', 'Register 1 byte or more.');
    return view;
  }

  /**
   * `ibv_create_qp`. The QP starts in RESET; see {@link Qp.connect}.
   *
   * @throws VerbsError EINVAL or ENOMEM when the device cannot give what is asked for
   */
  createQp(options: QpOptions): Qp {
    const call = 'ibv_create_qp';
    const sendCq = check.instance(call, 'sendCq', options.sendCq, Cq);
    const recvCq = options.recvCq === undefined ? sendCq : check.instance(call, 'recvCq', options.recvCq, Cq);
    const type: QpType = check.oneOf(call, 'type', options.type ?? 'RC', ['RC', 'UC', 'UD'] as const);
    const count = (param: keyof QpOptions, fallback: number, max: number): number =>
      check.integer(call, param, options[param] ?? fallback, 0, max);
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
    });
    return this.#children.add(new Qp(this, native, type, sendCq, recvCq));
  }

  /** `ibv_dealloc_pd`. @throws VerbsError EBUSY while regions or QPs of it are open */
  close(): void {
    this.#native.close();
  }

  /** Closes all regions and QPs of it, newest first, then itself. */
  closeAll(): void {
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

/** ES2024; Node 20 has it, the ES2023 types do not. */
const isResizable = (buffer: ArrayBuffer): boolean => (buffer as { resizable?: boolean }).resizable === true;
