/** The connection manager: event channels and ids. */
import type { NativeAddress, NativeContext } from './device.js';

export interface NativeCmEvent {
  /** `enum rdma_cm_event_type`. */
  type: number;
  status: number;
  /** Of the id, or of the listener when `request` is there. */
  token: number;
  /** Id of a connection request; it is the receiver's to close. */
  request?: NativeCmId;
  privateData: Uint8Array;
  /** Of ids of RDMA_PS_TCP. */
  connection?: {
    responderResources: number;
    initiatorDepth: number;
    flowControl: boolean;
    retryCount: number;
    rnrRetry: number;
    srq: boolean;
    qpn: number;
  };
  /** Of ids of RDMA_PS_UDP. */
  datagram?: NativeAddress & { qpn: number; qkey: number };
}

/** `rdma_create_event_channel`. */
export interface NativeEventChannel {
  close(): void;
  readonly closed: boolean;
  /** Ids that hang on it. */
  readonly children: number;
  readonly fd: number;
  /** Calls back for each event, which is acknowledged already. */
  watch(callback: (event: NativeCmEvent) => void): void;
  /** Whether the watching keeps the event loop alive. It does not at first. */
  setRef(on: boolean): void;
}

/** `struct rdma_conn_param`. */
export interface NativeConnParam {
  privateData: Uint8Array;
  responderResources: number;
  initiatorDepth: number;
  flowControl: boolean;
  retryCount: number;
  rnrRetry: number;
}

export interface NativeSocketAddress {
  address: string;
  port: number;
}

/** `struct rdma_cm_id`. Its QP is a `Qp` made with `cmId`; `close()` throws EBUSY while there is one. */
export interface NativeCmId {
  close(): void;
  readonly closed: boolean;
  /** What events name it by. */
  readonly token: number;
  /** What it has so far. `port` is that of the device. */
  bound(): {
    device: string | null;
    port: number;
    local: NativeSocketAddress | null;
    remote: NativeSocketAddress | null;
  };
  /** The library's own context of its device, which stays open as long as this one. ENODEV before it has a device. */
  openContext(): NativeContext;
  bind(address: string, port: number): void;
  resolveAddr(source: string | null, address: string, port: number, timeoutMs: number): void;
  resolveRoute(timeoutMs: number): void;
  connect(param: NativeConnParam): void;
  listen(backlog: number): void;
  accept(param: NativeConnParam): void;
  reject(privateData: Uint8Array): void;
  disconnect(): void;
}
