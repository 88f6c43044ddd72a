/**
 * The native addon. `native/` describes its classes, a file per subject. The public API (`index.ts`) is written on top
 * of this file; no other file should need it.
 *
 * Rules for all classes
 *  - A native class stands for one verbs object. Constructors take the parent and create; `close()` destroys.
 *  - A native object keeps its parents alive. `ibv_destroy_*` runs for children before parents, in whatever order
 *    JavaScript drops or closes them, and at the exit of a worker or the process.
 *  - `close()` on an object with children throws EBUSY, like the kernel. A second `close()` has no effect. Any other
 *    call on a closed object throws EBADF.
 *  - Failures throw the result of the registered error factory for (errno, call, detail).
 *  - Enumerations are the numbers of `<infiniband/verbs.h>`; 64-bit values are `bigint`.
 *  - Objects belong to the thread (main or worker) that made them.
 */
import { createRequire } from 'node:module';
import { addonPath } from '@verbslab/native';
import type { NativeCmId, NativeEventChannel } from './cm.js';
import type { NativeCompChannel, NativeCq } from './completions.js';
import type {
  NativeAddress,
  NativeAh,
  NativeContext,
  NativeDevice,
  NativeLibrary,
  NativeMr,
  NativeMw,
  NativePd,
} from './device.js';
import type { NativeExtensions } from './extensions.js';
import type { NativeLoop, NativeLoopCallbacks, NativeLoopOptions } from './loop.js';
import type { NativeQp, NativeQpOptions, NativeSrq } from './qp.js';

export type * from './cm.js';
export type * from './completions.js';
export type * from './device.js';
export type * from './extensions.js';
export type * from './loop.js';
export type * from './qp.js';

/** Makes an error for the addon to throw. `call` is the C function that failed, `detail` names its object. */
export type NativeErrorFactory = (
  errno: number,
  call: string,
  detail: string,
  wcStatus: number,
  vendorError: number,
) => Error;

/** Fields of a datagram's completion that describe its sender. */
export interface NativeDatagram {
  flags: number;
  sourceQpn: number;
  slid: number;
  sl: number;
  pathBits: number;
}

export interface NativeBinding {
  readonly version: string;
  setErrorFactory(factory: NativeErrorFactory): void;
  /** Loads a library: `system` or a path. */
  Library: new (path: string) => NativeLibrary;
  Context: new (device: NativeDevice) => NativeContext;
  Pd: new (context: NativeContext) => NativePd;
  /**
   * Given a length, allocates page-aligned zeroed memory, in huge pages on request. Given a view, registers its memory.
   */
  Mr: new (pd: NativePd, memory: number | Uint8Array, access: number, huge: boolean) => NativeMr;
  /** `type` is 1 or 2. */
  Mw: new (pd: NativePd, type: number) => NativeMw;
  /**
   * Calls `ibv_create_ah` with two arguments, `ibv_create_ah_from_wc` with four; `grh` is the 40 bytes before the
   * payload.
   */
  Ah: new (
    ...args:
      | [pd: NativePd, address: NativeAddress]
      | [pd: NativePd, completion: NativeDatagram, grh: Uint8Array, port: number]
  ) => NativeAh;
  Srq: new (pd: NativePd, maxWr: number, maxSge: number) => NativeSrq;
  CompChannel: new (context: NativeContext) => NativeCompChannel;
  Cq: new (
    context: NativeContext,
    depth: number,
    channel: NativeCompChannel | null,
    compVector: number,
  ) => NativeCq;
  Qp: new (pd: NativePd, options: NativeQpOptions) => NativeQp;
  /** Takes the library's path like `Library`. ENOENT or ENOSYS if it has no connection manager. */
  EventChannel: new (path: string) => NativeEventChannel;
  /** `space` is `enum rdma_port_space`. */
  CmId: new (channel: NativeEventChannel, space: number) => NativeCmId;
  Extensions: new (context: NativeContext) => NativeExtensions;
  allowTracer: (pid: number) => void;
  /** The arguments of `setFaults` as bytes for another process (native/uroce/ext/faults_bytes.h). */
  faultsBytes: (...faults: Parameters<NativeExtensions['setFaults']>) => Uint8Array;
  Loop: new (options: NativeLoopOptions, callbacks: NativeLoopCallbacks) => NativeLoop;
  TcpLoop: new (options: NativeLoopOptions, callbacks: NativeLoopCallbacks) => NativeLoop;
  UdpLoop: new (options: NativeLoopOptions, callbacks: NativeLoopCallbacks) => NativeLoop;
}

/** The addon, loaded once per thread. */
export const binding: NativeBinding = createRequire(import.meta.url)(addonPath) as NativeBinding;
