/** Completion queues and queue pairs: how they are made, connected and described. */
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
 * lies in huge pages. `RELAXED_ORDERING`: the device may reorder its accesses.
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

/** What a completion queue should be like. */
export interface CqOptions {
  /** Completions that the CQ must hold, 1 or more. The device may give more. */
  depth: number;
  /** Channel that wakes sleepers. Default: one that the context keeps for this. `null`: none, polling only. */
  channel?: CompChannel | null;
  /** Completion vector (interrupt) of the device. Default 0. */
  compVector?: number;
}

/** What a queue pair should be like. */
export interface QpOptions {
  /** Default `RC`. */
  type?: QpType;
  /** CQ of the send queue; also of the receive queue unless {@link recvCq} is given. */
  sendCq: Cq;
  /** CQ of the receive queue. Default: that of the send queue. */
  recvCq?: Cq;
  /** Work requests that the send queue must hold. Default 128. */
  maxSendWr?: number;
  /** Default 128. */
  maxRecvWr?: number;
  /** Default 1. */
  maxSendSge?: number;
  /** Default 1. */
  maxRecvSge?: number;
  /** Bytes that can be posted inline. Default 0. */
  maxInlineData?: number;
  /** Every send work request makes a completion, whatever its `signaled` says. Default false. */
  signalAll?: boolean;
  /** Shared receive queue of the QP, which then has none of its own. */
  srq?: Srq;
  /** Operations to be posted by {@link Qp.postExtended}; `true`: all that suit the type. Default: none. */
  extended?: boolean | readonly SendOpcode[];
}

/** What a shared receive queue should be like. */
export interface SrqOptions {
  /** Receive work requests that it must hold. The device may give more. */
  maxWr: number;
  /** Pieces a receive request. Default 1. */
  maxSge?: number;
}

/** The result of {@link Srq.query}. */
export interface SrqStatus {
  /** Receive work requests that it holds. */
  maxWr: number;
  /** Pieces a receive request. */
  maxSge: number;
  /** Fewer requests than this raise SRQ_LIMIT_REACHED once; 0: no event is asked for. */
  limit: number;
}

/** Way to a port (`struct ibv_ah_attr`). */
export interface Address {
  /** GID in IPv6 notation, or an IPv4 address. Needed on Ethernet. */
  gid?: string;
  /** InfiniBand's local address. Default 0. */
  lid?: number;
  /** Own GID. Default 0; {@link Pd.createAh} takes the one that `Context.gid` chooses. */
  gidIndex?: number;
  /** Default 64. */
  hopLimit?: number;
  /** DSCP and ECN bits. Default 0. */
  trafficClass?: number;
  /** Flow label of IPv6. Default 0. */
  flowLabel?: number;
  /** 0-15. Default 0. */
  serviceLevel?: number;
  /** Own port, from 1. Default 1. */
  port?: number;
}

/** What one side must know of the other to connect: plain JSON, to be sent over any channel. */
export interface QpInfo {
  /** Number of the QP. */
  qpn: number;
  /** First PSN that this side will send with. */
  psn: number;
  /** GID in IPv6 notation. */
  gid: string;
  /** Place of the GID in the port's table. */
  gidIndex: number;
  /** InfiniBand's local address; 0 on Ethernet. */
  lid: number;
  /** Path MTU, bytes. The smaller of both sides is used. */
  mtu: number;
}

/** The remote side of a connection: what {@link QpInfo} of the peer holds, as far as it is needed. */
export interface RemoteQp {
  /** Number of the QP. */
  qpn: number;
  /** First PSN that the peer sends with. */
  psn: number;
  /** GID in IPv6 notation. */
  gid: string;
  /** InfiniBand's local address. Default 0. */
  lid?: number;
  /** Path MTU that the peer can take, bytes. */
  mtu?: number;
}

/** Settings of a connection. The defaults are perftest's. */
export interface ConnectOptions {
  /** Port of the device, from 1. Default 1. */
  port?: number;
  /** Own GID. Default: the one that `Context.gid` chooses. */
  gidIndex?: number;
  /** First PSN of this side. Default: the random one in {@link Qp.info}. */
  psn?: number;
  /** Bytes: 256, 512, 1024, 2048 or 4096. Default: the smaller active MTU of both sides. */
  mtu?: number;
  /** What the peer may do to our memory through this QP. Default: everything that its type can do. */
  access?: readonly Access[];
  /** Key that datagrams must carry (UD). Default 0x11111111. */
  qkey?: number;
  /** ACK timeout exponent t: 4.096 us x 2^t; 0 waits for ever. Default 14 (67 ms). */
  timeout?: number;
  /** 0-7. Default 7. */
  retryCount?: number;
  /** 0-7; 7 is for ever. Default 7. */
  rnrRetry?: number;
  /** RNR NAK timer code 0-31. Default 12 (0.64 ms). */
  minRnrTimer?: number;
  /** READs and atomics under way as initiator. Default: what the device allows, at most 16. */
  maxRdAtomic?: number;
  /** The same as responder. */
  maxDestRdAtomic?: number;
  /** DSCP and ECN bits of the packets. Default 0. */
  trafficClass?: number;
  /** Default 64. */
  hopLimit?: number;
  /** 0-15. Default 0. */
  serviceLevel?: number;
}

/** Attributes for {@link Qp.modify}. The mask follows from what is given, as `ibv_modify_qp` wants it. */
export interface QpAttributes extends Omit<
  NativeQpAttr,
  'state' | 'curState' | 'accessFlags' | 'ah' | 'pathMtu'
> {
  /** State to go to. */
  state?: Exclude<QpState, 'UNKNOWN'>;
  /** State that the QP is thought to be in. */
  curState?: Exclude<QpState, 'UNKNOWN'>;
  /** What the peer may do through this QP. */
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
  /** State now. */
  state: QpState;
  /** What the peer may do through this QP. */
  access: Access[];
}
