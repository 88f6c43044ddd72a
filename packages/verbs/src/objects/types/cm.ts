/** Types of the connection manager (librdmacm). */
import type { NativeCmEvent, NativeConnParam } from '../../native/cm.js';
import type { CmId } from '../cm-id.js';
import type { Address } from './qp.js';

/**
 * Service of an id. `TCP`: connections (RC). `UDP`: datagram services (UD). The port spaces are RDMA_PS_TCP and
 * RDMA_PS_UDP.
 */
export type CmService = 'TCP' | 'UDP';

/** Type of an event (`enum rdma_cm_event_type`). */
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
  /** Type of the event. */
  type: CmEventType;
  /** Status: 0, a negative errno, or the reason of a rejection (28: the peer's application). */
  status: number;
  /** Id of the event; with CONNECT_REQUEST, the new id of the request. */
  id: CmId;
  /** Listening id, with CONNECT_REQUEST. */
  listener?: CmId;
  /** Data from the peer. Each message has a fixed length on the wire: zeros may follow. */
  privateData: Uint8Array;
  /** Parameters of the peer, with CONNECT_REQUEST and ESTABLISHED of connections. */
  connection?: NonNullable<NativeCmEvent['connection']>;
  /** Target for datagrams, with ESTABLISHED of datagram services. */
  datagram?: {
    /** Address for {@link Pd.createAh}. */
    address: Address;
    /** Number of the peer's QP. */
    qpn: number;
    /** Q_Key of the peer's QP. */
    qkey: number;
  };
}

/** Settings of {@link CmId.connect} and {@link CmId.accept}. */
export type CmConnectOptions = Partial<NativeConnParam>;

export type { SocketAddress } from '../../native/cm.js';
