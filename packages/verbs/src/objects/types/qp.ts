/** Options, connections and descriptions of completion queues and queue pairs. */
import type { NativeQpAttr, NativeQpStatus } from '../../native/qp.js';
import type { CompChannel } from '../comp-channel.js';
import type { Cq } from '../cq.js';
import type { Srq } from '../srq.js';
import type { SendOpcode } from './work.js';

/**
 * Rights of a memory region, window or QP, and options of a region (`IBV_ACCESS_*`).
 *
 * Remote write and atomic need `LOCAL_WRITE` on a region. `MW_BIND`: memory windows may be bound to the region.
 * `ZERO_BASED`: its addresses begin at 0. `ON_DEMAND`: its pages are not pinned but faulted in. `HUGETLB`: its memory
 * is in huge pages. `RELAXED_ORDERING`: the device may reorder its accesses.
 */
export type Access =
  | 'LOCAL_WRITE'
  | 'REMOTE_WRITE'
  | 'REMOTE_READ'
  | 'REMOTE_ATOMIC'
  | 'MW_BIND'
  | 'ZERO_BASED'
  | 'ON_DEMAND'
  | 'HUGETLB'
  | 'RELAXED_ORDERING';

/** State of a QP (`enum ibv_qp_state`). */
export type QpState = 'RESET' | 'INIT' | 'RTR' | 'RTS' | 'SQD' | 'SQE' | 'ERR' | 'UNKNOWN';

/** Reliable connection, unreliable connection, unreliable datagram. */
export type QpType = 'RC' | 'UC' | 'UD';

/** Options of a completion queue. */
export interface CqOptions {
  /** Completions that the CQ must hold, 1 or more. The device may give more. */
  depth: number;
  /** Channel that wakes sleepers. Default: a channel of the context. `null`: none, polling only. */
  channel?: CompChannel | null;
  /** Completion vector (interrupt) of the device. Default 0. */
  compVector?: number;
}

/** Options of a queue pair. */
export interface QpOptions {
  /** Transport service. Default `RC`. */
  type?: QpType;
  /** CQ of the send queue, and of the receive queue unless {@link recvCq} is given. */
  sendCq: Cq;
  /** CQ of the receive queue. Default: {@link sendCq}. */
  recvCq?: Cq;
  /** Work requests that the send queue must hold. Default 128. */
  maxSendWr?: number;
  /** Work requests that the receive queue must hold. Default 128. */
  maxRecvWr?: number;
  /** Scatter/gather entries per send request. Default 1. */
  maxSendSge?: number;
  /** Scatter/gather entries per receive request. Default 1. */
  maxRecvSge?: number;
  /** Bytes that can be posted inline. Default 0. */
  maxInlineData?: number;
  /** True if every send work request makes a completion, even with `signaled: false`. Default false. */
  signalAll?: boolean;
  /** Shared receive queue. The QP then has no receive queue of its own. */
  srq?: Srq;
  /** Operations for {@link Qp.postExtended}; `true`: all operations of the type. Default: none. */
  extended?: boolean | readonly SendOpcode[];
}

/** Options of a shared receive queue. */
export interface SrqOptions {
  /** Receive work requests that the queue must hold. The device may give more. */
  maxWr: number;
  /** Scatter/gather entries per receive request. Default 1. */
  maxSge?: number;
}

/** The result of {@link Srq.query}. */
export interface SrqStatus {
  /** Most receive work requests in the queue. */
  maxWr: number;
  /** Scatter/gather entries per receive request. */
  maxSge: number;
  /** Threshold: fewer requests raise SRQ_LIMIT_REACHED once; 0: no event is requested. */
  limit: number;
}

/** Path to a port (`struct ibv_ah_attr`). */
export interface Address {
  /** GID in IPv6 notation, or an IPv4 address. Required on Ethernet. */
  gid?: string;
  /** InfiniBand local identifier. Default 0. */
  lid?: number;
  /** Index of this side's GID. Default 0; {@link Pd.createAh} uses the one that `Context.gid` chooses. */
  gidIndex?: number;
  /** Hop limit. Default 64. */
  hopLimit?: number;
  /** DSCP and ECN bits. Default 0. */
  trafficClass?: number;
  /** IPv6 flow label. Default 0. */
  flowLabel?: number;
  /** Service level, 0-15. Default 0. */
  serviceLevel?: number;
  /** Port of this side, from 1. Default 1. */
  port?: number;
}

/** Data that the other side needs to connect: plain JSON, for any channel. */
export interface QpInfo {
  /** Number of the QP. */
  qpn: number;
  /** First PSN that this side sends. */
  psn: number;
  /** GID in IPv6 notation. */
  gid: string;
  /** Index of the GID in the port's table. */
  gidIndex: number;
  /** InfiniBand local identifier; 0 on Ethernet. */
  lid: number;
  /** Path MTU, bytes. The smaller of both sides is used. */
  mtu: number;
}

/** Remote side of a connection: the required part of the peer's {@link QpInfo}. */
export interface RemoteQp {
  /** Number of the QP. */
  qpn: number;
  /** First PSN that the peer sends. */
  psn: number;
  /** GID in IPv6 notation. */
  gid: string;
  /** InfiniBand local identifier. Default 0. */
  lid?: number;
  /** Path MTU of the peer, bytes. */
  mtu?: number;
}

/** Settings of a connection. The defaults are perftest's. */
export interface ConnectOptions {
  /** Port of the device, from 1. Default 1. */
  port?: number;
  /** Index of this side's GID. Default: the one that `Context.gid` chooses. */
  gidIndex?: number;
  /** First PSN of this side. Default: the random one in {@link Qp.info}. */
  psn?: number;
  /** Path MTU, bytes: 256, 512, 1024, 2048 or 4096. Default: the smaller active MTU of both sides. */
  mtu?: number;
  /** Rights of the peer in this side's memory through this QP. Default: all rights that the type supports. */
  access?: readonly Access[];
  /** Q_Key that datagrams must carry (UD). Default 0x11111111. */
  qkey?: number;
  /** ACK timeout exponent t: 4.096 µs × 2^t; 0 means no timeout. Default 14 (67 ms). */
  timeout?: number;
  /** Retries after a timeout, 0-7. Default 7. */
  retryCount?: number;
  /** Retries after an RNR NAK, 0-7; 7 means no limit. Default 7. */
  rnrRetry?: number;
  /** RNR NAK timer code 0-31. Default 12 (0.64 ms). */
  minRnrTimer?: number;
  /** Most outstanding READs and atomics as initiator. Default: the device's limit, at most 16. */
  maxRdAtomic?: number;
  /** Most READs and atomics at a time as responder. Default: the device's limit, at most 16. */
  maxDestRdAtomic?: number;
  /** DSCP and ECN bits of the packets. Default 0. */
  trafficClass?: number;
  /** Hop limit. Default 64. */
  hopLimit?: number;
  /** Service level, 0-15. Default 0. */
  serviceLevel?: number;
}

/** Attributes for {@link Qp.modify}. The mask of `ibv_modify_qp` follows from the attributes present. */
export interface QpAttributes extends Omit<
  NativeQpAttr,
  'state' | 'curState' | 'accessFlags' | 'ah' | 'pathMtu'
> {
  /** New state. */
  state?: Exclude<QpState, 'UNKNOWN'>;
  /** Assumed current state. */
  curState?: Exclude<QpState, 'UNKNOWN'>;
  /** Rights of the peer through this QP. */
  access?: readonly Access[];
  /** Address vector. */
  address?: Address;
  /** Path MTU, bytes. */
  pathMtu?: number;
}

/** The result of {@link Qp.query}. */
export interface QpStatus extends Omit<NativeQpStatus, 'state' | 'accessFlags' | 'pathMtu'> {
  /** Path MTU, bytes. */
  pathMtu: number;
  /** Current state. */
  state: QpState;
  /** Rights of the peer through this QP. */
  access: Access[];
}
