/** The connection manager (librdmacm). */
import type { CmId } from '../cm-id.js';
import type { Address } from './qp.js';

/** `TCP`: connections (RC). `UDP`: datagram services (UD). They are the port spaces RDMA_PS_TCP and RDMA_PS_UDP. */
export type CmService = 'TCP' | 'UDP';

/** What happened (`enum rdma_cm_event_type`). */
export type CmEventType =
  | 'ADDR_RESOLVED'
  | 'ADDR_ERROR'
  | 'ROUTE_RESOLVED'
  | 'ROUTE_ERROR'
  | 'CONNECT_REQUEST'
  | 'CONNECT_RESPONSE'
  | 'CONNECT_ERROR'
  | 'UNREACHABLE'
  | 'REJECTED'
  | 'ESTABLISHED'
  | 'DISCONNECTED'
  | 'DEVICE_REMOVAL'
  | 'MULTICAST_JOIN'
  | 'MULTICAST_ERROR'
  | 'ADDR_CHANGE'
  | 'TIMEWAIT_EXIT'
  | 'UNKNOWN';

/** An event of the connection manager. */
export interface CmEvent {
  /** What happened. */
  type: CmEventType;
  /** 0, a negative errno, or the reason of a rejection (28: the peer's application). */
  status: number;
  /** The id it happened to; with CONNECT_REQUEST the new id of the request. */
  id: CmId;
  /** With CONNECT_REQUEST: the id that listens. */
  listener?: CmId;
  /** What the peer sent along. The wire has a fixed length for each message: zeros may follow. */
  privateData: Uint8Array;
  /** Of the peer, with CONNECT_REQUEST and ESTABLISHED of connections. */
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
  /** With ESTABLISHED of datagram services: where to send. */
  datagram?: {
    /** For {@link Pd.createAh}. */
    address: Address;
    /** Number of the peer's QP. */
    qpn: number;
    /** Its Q_Key. */
    qkey: number;
  };
}

/** Settings of {@link CmId.connect} and {@link CmId.accept}. */
export interface CmConnectOptions {
  /** Bytes for the peer: at most 56 with connect(), 196 with accept(), 180 and 136 of a datagram service. */
  privateData?: Uint8Array;
  /** READs and atomics that we take at a time. Default: what the device allows, at most 16. */
  responderResources?: number;
  /** READs and atomics that we have under way. Default: what the device allows, at most 16. */
  initiatorDepth?: number;
  /** Default true. */
  flowControl?: boolean;
  /** Tries after a timeout, 0-7. Default 7. With accept() the peer's choice holds. */
  retryCount?: number;
  /** Tries after an RNR NAK, 0-7; 7 is for ever. Default 7. */
  rnrRetry?: number;
}

/** An address and a port of a service, as an IP socket has them. */
export interface SocketAddress {
  /** IPv4 or IPv6, in digits. */
  address: string;
  /** 0-65535. */
  port: number;
}
