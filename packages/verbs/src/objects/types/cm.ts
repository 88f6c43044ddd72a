/** The connection manager (librdmacm). */
import type { NativeCmEvent, NativeConnParam } from '../../native/cm.js';
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
  connection?: NonNullable<NativeCmEvent['connection']>;
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
export type CmConnectOptions = Partial<NativeConnParam>;

export type { SocketAddress } from '../../native/cm.js';
