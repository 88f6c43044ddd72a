/**
 * Every class of the native addon, as it is. The public API (`index.ts`) is written over this file; nobody else
 * should need it.
 *
 * Rules that hold for all of them
 *  - One native class stands for one verbs object. Constructors take the parent and create; `close()` destroys.
 *  - A native object keeps its parents alive: whatever the order in which JavaScript drops or closes them, and at the
 *    exit of a worker or the process, `ibv_destroy_*` runs for children before parents.
 *  - `close()` on an object that still has children throws EBUSY, as the kernel does. A second `close()` does nothing.
 *    Any other call on a closed object throws EBADF.
 *  - Failures throw what the registered error factory makes of (errno, call, detail).
 *  - Enumerations are the numbers of `<infiniband/verbs.h>`; 64-bit values are `bigint`.
 *  - Objects belong to the thread (main or worker) that made them.
 */
import { createRequire } from 'node:module';
import { addonPath } from '@verbslab/native';

/** Makes the error that the addon throws. `call` is the C function that failed, `detail` what it worked on. */
export type NativeErrorFactory = (
  errno: number,
  call: string,
  detail: string,
  wcStatus: number,
  vendorError: number,
) => Error;

/** A verbs library that was loaded with dlopen; it stays loaded until the process ends. */
export interface NativeLibrary {
  readonly path: string;
  /** `ibv_get_device_list`. Throws its errno: ENOSYS when the machine has no RDMA at all. */
  devices(): NativeDevice[];
}

/** One entry of the device list. Kept valid by the library until the last entry is dropped. */
export interface NativeDevice {
  readonly name: string;
  readonly guid: bigint;
  /** `enum ibv_node_type`. */
  readonly nodeType: number;
  /** `enum ibv_transport_type`. */
  readonly transport: number;
  /** Where sysfs describes it; empty for a device without kernel part. */
  readonly sysfsPath: string;
  /** Extension calls that the device's library has, by name of `Capabilities`. */
  readonly extensions: string[];
}

export interface NativeDeviceAttr {
  firmware: string;
  nodeGuid: bigint;
  vendorId: number;
  vendorPartId: number;
  hwVersion: number;
  maxMrSize: bigint;
  pageSizeCap: bigint;
  maxQp: number;
  maxQpWr: number;
  maxSge: number;
  maxCq: number;
  maxCqe: number;
  maxMr: number;
  maxPd: number;
  maxQpRdAtom: number;
  maxQpInitRdAtom: number;
  /** `enum ibv_atomic_cap`. */
  atomic: number;
  maxSrq: number;
  ports: number;
}

export interface NativePortAttr {
  state: number;
  maxMtu: number;
  activeMtu: number;
  gidTableLength: number;
  maxMessageSize: number;
  lid: number;
  linkLayer: number;
  activeWidth: number;
  activeSpeed: number;
}

/** An opened device: `ibv_open_device`. */
export interface NativeContext {
  close(): void;
  readonly closed: boolean;
  /** Objects that still hang on it, of all kinds. */
  readonly children: number;
  queryDevice(): NativeDeviceAttr;
  queryPort(port: number): NativePortAttr;
  /** 16 bytes in network order. */
  queryGid(port: number, index: number): Uint8Array;
  /** `enum ibv_gid_type_sysfs` or -1 when the library cannot tell. */
  queryGidType(port: number, index: number): number;
  queryPkey(port: number, index: number): number;
  /** Calls back for every asynchronous event (type, qpn or port, 0 when neither) until the context is closed. */
  watchEvents(callback: (type: number, element: number) => void): void;
  /** Whether the watching keeps the event loop alive. It does not at first. */
  setRef(on: boolean): void;
}

export interface NativePd {
  close(): void;
  readonly closed: boolean;
  readonly children: number;
  readonly handle: number;
}

/** A registered region. Memory that the addon allocated lives as long as the region or its ArrayBuffer. */
export interface NativeMr {
  close(): void;
  readonly closed: boolean;
  readonly addr: bigint;
  readonly length: number;
  readonly lkey: number;
  readonly rkey: number;
  /** Memory of the region. Detached by `close()` when the addon allocated it. */
  readonly buffer: ArrayBuffer;
  readonly byteOffset: number;
}

/** A completion channel. A thread of its own sleeps on its descriptor while somebody watches. */
export interface NativeCompChannel {
  close(): void;
  readonly closed: boolean;
  readonly children: number;
  readonly fd: number;
  /** Calls back with the tokens of the CQs that had events: one call a batch, events acknowledged already. */
  watch(callback: (tokens: number[]) => void): void;
  /** Whether the watching keeps the event loop alive. It does not at first. */
  setRef(on: boolean): void;
}

export interface NativeWc {
  wrId: bigint;
  status: number;
  opcode: number;
  vendorError: number;
  byteLength: number;
  qpn: number;
  sourceQpn: number;
  /** IBV_WC_* flags; bit 1 (WITH_IMM) tells that `immediate` means something. */
  flags: number;
  /** Host order. */
  immediate: number;
}

export interface NativeCq {
  close(): void;
  readonly closed: boolean;
  readonly children: number;
  /** Entries that the device gave. */
  readonly depth: number;
  /** What a channel calls back with. */
  readonly token: number;
  /** EBUSY while a loop has the CQ. */
  poll(max: number): NativeWc[];
  reqNotify(solicitedOnly: boolean): void;
}

/** Present members are put into `struct ibv_qp_attr`, and their mask bits set. */
export interface NativeQpAttr {
  state?: number;
  curState?: number;
  pkeyIndex?: number;
  port?: number;
  qkey?: number;
  accessFlags?: number;
  ah?: {
    /** 16 bytes; absent: not global. */
    gid?: Uint8Array;
    gidIndex: number;
    dlid: number;
    hopLimit: number;
    trafficClass: number;
    flowLabel: number;
    sl: number;
    port: number;
  };
  /** `enum ibv_mtu`. */
  pathMtu?: number;
  destQpn?: number;
  rqPsn?: number;
  sqPsn?: number;
  timeout?: number;
  retryCount?: number;
  rnrRetry?: number;
  minRnrTimer?: number;
  maxRdAtomic?: number;
  maxDestRdAtomic?: number;
}

export interface NativeQpStatus {
  state: number;
  pathMtu: number;
  destQpn: number;
  rqPsn: number;
  sqPsn: number;
  timeout: number;
  retryCount: number;
  rnrRetry: number;
  minRnrTimer: number;
  maxRdAtomic: number;
  maxDestRdAtomic: number;
  port: number;
  accessFlags: number;
  maxSendWr: number;
  maxRecvWr: number;
  maxSendSge: number;
  maxRecvSge: number;
  maxInlineData: number;
}

export interface NativeSge {
  addr: bigint;
  length: number;
  lkey: number;
}

export interface NativeSendWr {
  wrId: bigint;
  opcode: number;
  /** IBV_SEND_*. */
  flags: number;
  sges: NativeSge[];
  remoteAddr: bigint;
  rkey: number;
  /** Host order. */
  immediate: number;
  compareAdd: bigint;
  swap: bigint;
}

export interface NativeRecvWr {
  wrId: bigint;
  sges: NativeSge[];
}

export interface NativeQpOptions {
  type: number;
  sendCq: NativeCq;
  recvCq: NativeCq;
  maxSendWr: number;
  maxRecvWr: number;
  maxSendSge: number;
  maxRecvSge: number;
  maxInlineData: number;
  signalAll: boolean;
}

export interface NativeQp {
  close(): void;
  readonly closed: boolean;
  readonly qpn: number;
  readonly maxSendWr: number;
  readonly maxRecvWr: number;
  readonly maxInlineData: number;
  modify(attr: NativeQpAttr): void;
  query(): NativeQpStatus;
  /** One `ibv_post_send` with the whole list. The detail of the error tells how many were taken. EBUSY while a loop has the QP. */
  postSend(wrs: NativeSendWr[]): void;
  postRecv(wrs: NativeRecvWr[]): void;
}

/** The extension calls (`uroce.h`) of a context. A call that the library lacks throws ENOSYS. */
export interface NativeExtensions {
  cpu(): {
    engineUserNs: number;
    engineKernelNs: number;
    appThreadNs: number;
    threadCpuNs: number;
    progressCalls: number;
    emptyPolls: number;
  };
  counters(): Record<string, number>;
  tapStart(maxPackets: number, maxBytes: number, snapLength: number, mode: number): void;
  /** Whole records in the layout of `struct uroce_tap_record`, at most `maxBytes`, and the number dropped so far. */
  tapRead(maxBytes: number): { records: Uint8Array; dropped: number };
  tapStop(): void;
  pcapOpen(path: string): void;
  pcapClose(): void;
  setFaults(
    rates: {
      dropPpm: number;
      duplicatePpm: number;
      reorderPpm: number;
      delayPpm: number;
      corruptPpm: number;
      delayUs: number;
      seed: bigint;
    } | null,
    rules: {
      match: number;
      qpn: number;
      psn: number;
      iter: number;
      opcode: number;
      opcodeMask: number;
      action: number;
      times: number;
      delayUs: number;
    }[],
  ): void;
  queryFaults(): {
    seed: bigint;
    packets: number;
    dropped: number;
    duplicated: number;
    reordered: number;
    delayed: number;
    corrupted: number;
  };
  stampsStart(maxRecords: number, every: number): void;
  stampsRead(max: number): {
    stamps: {
      wrId: bigint;
      qpn: number;
      opcode: number;
      byteLength: number;
      status: number;
      postedNs: bigint;
      firstTxNs: bigint;
      lastTxNs: bigint;
      ackedNs: bigint;
      cqeNs: bigint;
      polledNs: bigint;
    }[];
    dropped: number;
  };
  stampsStop(): void;
  pinned(): { pinnedBytes: number; unpinnedBytes: number; regions: number; memlockLimit: number };
}

/** What the loops of all kinds take. Times in ns, 0 for "none". */
export interface NativeLoopOptions {
  target: boolean;
  latency: boolean;
  size: number;
  iterations: number;
  durationNs: number;
  omitNs: number;
  messagesPerSecond: number;
  event: boolean;
  reportNs: number;
  idleTimeoutNs: number;
  /** Ring for completion records over a SharedArrayBuffer (`completion-ring.ts`), or null. */
  ring: Uint32Array | null;
  ringWait: boolean;
}

export interface NativeRdmaLoopOptions extends NativeLoopOptions {
  qps: NativeQp[];
  /** 0 write, 1 write-imm, 2 read, 3 send, 4 fetch-add, 5 compare-swap. */
  op: number;
  mr: NativeMr;
  offset: number;
  remoteAddr: bigint;
  remoteLength: number;
  rkey: number;
  txDepth: number;
  rxDepth: number;
  postList: number;
  cqMod: number;
  inline: boolean;
  walk: boolean;
}

export interface NativeTcpLoopOptions extends NativeLoopOptions {
  host: string;
  port: number;
  /** 0 out, 1 in, 2 both, seen from the initiator. */
  direction: number;
  connections: number;
  socketBuffer: number;
  noDelay: boolean;
  ackEvery: number;
  /** 0: one chunk. */
  memory: number;
}

export interface NativeUdpLoopOptions extends NativeLoopOptions {
  host: string;
  port: number;
  connected: boolean;
}

/** The figures of an interval or of a whole run. */
export interface NativeLoopFigures {
  seq: number;
  tNs: number;
  intervalNs: number;
  omitted: boolean;
  bytes: number;
  messages: number;
  outstanding: number;
  latency: {
    count: number;
    minNs: number;
    meanNs: number;
    p50Ns: number;
    p90Ns: number;
    p99Ns: number;
    p999Ns: number;
    maxNs: number;
  };
  histogram: Uint8Array;
  histogramTotal: Uint8Array;
  cpu: {
    threadUserNs: number;
    threadSystemNs: number;
    processUserNs: number;
    processSystemNs: number;
    engine: { userNs: number; kernelNs: number; appThreadNs: number; threadNs: number } | null;
    softirqNs: number | null;
    voluntarySwitches: number;
    involuntarySwitches: number;
    split: { appNs: number; nicNs: number; kernelNs: number };
  };
  counters: Record<string, number>;
  recordsWritten: number;
  recordsDropped: number;
}

/** What a loop calls back with; the callbacks come on the thread that made it, at most one wake-up a batch. */
export interface NativeLoopCallbacks {
  /** Set up: RECVs posted, or port bound. */
  ready(port: number): void;
  report(figures: NativeLoopFigures): void;
  /** Last call: the thread has ended. `error` is what the error factory made, null when there was none. */
  end(outcome: NativeLoopOutcome, error: Error | null): void;
}

export interface NativeLoopOutcome {
  /** 0 iterations, 1 duration, 2 stopped, 3 error. */
  reason: number;
  drained: boolean;
  startedAtNs: bigint;
  /** 0 completion, 1 round trip, 2 acknowledged, 3 none. */
  latencyKind: number;
  totals: NativeLoopFigures;
}

/** A loop on a thread of its own. Constructing starts it. */
export interface NativeLoop {
  /** Asks it to end: nothing more is posted; what is under way gets `drainMs` to complete, then QPs go to ERR. */
  stop(drainMs: number): void;
  readonly running: boolean;
}

export interface NativeBinding {
  readonly version: string;
  setErrorFactory(factory: NativeErrorFactory): void;
  /** `system` or a path. */
  Library: new (path: string) => NativeLibrary;
  Context: new (device: NativeDevice) => NativeContext;
  Pd: new (context: NativeContext) => NativePd;
  /** Allocates page-aligned zeroed memory when given a length, else registers the view's memory. */
  Mr: new (pd: NativePd, memory: number | Uint8Array, access: number) => NativeMr;
  CompChannel: new (context: NativeContext) => NativeCompChannel;
  Cq: new (
    context: NativeContext,
    depth: number,
    channel: NativeCompChannel | null,
    compVector: number,
  ) => NativeCq;
  Qp: new (pd: NativePd, options: NativeQpOptions) => NativeQp;
  Extensions: new (context: NativeContext) => NativeExtensions;
  Loop: new (options: NativeRdmaLoopOptions, callbacks: NativeLoopCallbacks) => NativeLoop;
  TcpLoop: new (options: NativeTcpLoopOptions, callbacks: NativeLoopCallbacks) => NativeLoop;
  UdpLoop: new (options: NativeUdpLoopOptions, callbacks: NativeLoopCallbacks) => NativeLoop;
}

/** The addon, loaded once a thread. */
export const binding: NativeBinding = createRequire(import.meta.url)(addonPath) as NativeBinding;
