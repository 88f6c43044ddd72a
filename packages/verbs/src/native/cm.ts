/** The connection manager: event channels and ids. */
import type { NativeAddress, NativeContext } from './device.js';

export interface NativeCmEvent {
  /** `enum rdma_cm_event_type`. */
  type: number;
  status: number;
  /** Token of the id; token of the listener if `request` is set. */
  token: number;
  /** Id of a connection request. The receiver of the event closes it. */
  request?: NativeCmId;
  privateData: Uint8Array;
  /** Parameters of a connection (RDMA_PS_TCP). */
  connection?: {
    /** Most READs and atomics that the peer accepts at a time. */
    responderResources: number;
    /** Most READs and atomics that the peer wants to have outstanding. */
    initiatorDepth: number;
    /** True if the peer has end-to-end flow control. */
    flowControl: boolean;
    /** Retries after a timeout. */
    retryCount: number;
    /** Retries after an RNR NAK. */
    rnrRetry: number;
    /** True if the peer's QP has a shared receive queue. */
    srq: boolean;
    /** Number of the peer's QP. */
    qpn: number;
  };
  /** Address of a datagram service (RDMA_PS_UDP). */
  datagram?: NativeAddress & { qpn: number; qkey: number };
}

/** `rdma_create_event_channel`. */
export interface NativeEventChannel {
  close(): void;
  readonly closed: boolean;
  /** Open ids of the channel. */
  readonly children: number;
  readonly fd: number;
  /** Calls back for each event, which is already acknowledged. */
  watch(callback: (event: NativeCmEvent) => void): void;
  /** Sets whether watching keeps the event loop alive. Initially off. */
  setRef(on: boolean): void;
}

/** `struct rdma_conn_param`. */
export interface NativeConnParam {
  /** Bytes for the peer: at most 56 with connect(), 196 with accept(), 180 and 136 for a datagram service. */
  privateData: Uint8Array;
  /** Most READs and atomics that this side accepts at a time. Default: the device's limit, at most 16. */
  responderResources: number;
  /** Most READs and atomics that this side has outstanding. Default: the device's limit, at most 16. */
  initiatorDepth: number;
  /** Default true. */
  flowControl: boolean;
  /** Retries after a timeout, 0-7. Default 7. With accept(), the peer's choice applies. */
  retryCount: number;
  /** Retries after an RNR NAK, 0-7; 7 means no limit. Default 7. */
  rnrRetry: number;
}

/** Address and port of a service, as for an IP socket. */
export interface SocketAddress {
  /** IPv4 or IPv6 address in numeric form. */
  address: string;
  /** 0-65535. */
  port: number;
}

/** `struct rdma_cm_id`. Its QP is a `Qp` made with `cmId`; `close()` throws EBUSY while the QP exists. */
export interface NativeCmId {
  close(): void;
  readonly closed: boolean;
  /** Name of the id in events. */
  readonly token: number;
  /** Device and addresses of the id so far. `port` is that of the device. */
  bound(): {
    device: string | null;
    port: number;
    local: SocketAddress | null;
    remote: SocketAddress | null;
  };
  /**
   * The library's own context of the id's device. The device stays open as long as the context. ENODEV before the id
   * has a device.
   */
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
