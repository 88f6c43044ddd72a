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
    /** READs and atomics that the peer takes at a time. */
    responderResources: number;
    /** READs and atomics that the peer wants to have under way. */
    initiatorDepth: number;
    /** The peer has end-to-end flow control. */
    flowControl: boolean;
    /** Tries after a timeout. */
    retryCount: number;
    /** Tries after an RNR NAK. */
    rnrRetry: number;
    /** The peer's QP has a shared receive queue. */
    srq: boolean;
    /** Number of the peer's QP. */
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
  /** Bytes for the peer: at most 56 with connect(), 196 with accept(), 180 and 136 of a datagram service. */
  privateData: Uint8Array;
  /** READs and atomics that we take at a time. Default: what the device allows, at most 16. */
  responderResources: number;
  /** READs and atomics that we have under way. Default: what the device allows, at most 16. */
  initiatorDepth: number;
  /** Default true. */
  flowControl: boolean;
  /** Tries after a timeout, 0-7. Default 7. With accept() the peer's choice holds. */
  retryCount: number;
  /** Tries after an RNR NAK, 0-7; 7 is for ever. Default 7. */
  rnrRetry: number;
}

/** An address and a port of a service, as an IP socket has them. */
export interface SocketAddress {
  /** IPv4 or IPv6, in digits. */
  address: string;
  /** 0-65535. */
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
    local: SocketAddress | null;
    remote: SocketAddress | null;
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
