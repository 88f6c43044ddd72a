/** Queue pairs: attributes, work requests, and the object. */
import type { NativeCmId } from './cm.js';
import type { NativeCq } from './completions.js';
import type { NativeAddress, NativeAh, NativeMr, NativeMw } from './device.js';

/** Attributes of `struct ibv_qp_attr`. Present members are set, and their mask bits too. */
export interface NativeQpAttr {
  state?: number;
  curState?: number;
  /** Index in the partition key table; 0 on RoCE. */
  pkeyIndex?: number;
  /** Port of the device. */
  port?: number;
  /** Q_Key of datagrams (UD). */
  qkey?: number;
  accessFlags?: number;
  ah?: NativeAddress;
  /** `enum ibv_mtu`. */
  pathMtu?: number;
  /** Number of the peer's QP. */
  destQpn?: number;
  /** First expected PSN. */
  rqPsn?: number;
  /** First PSN that is sent. */
  sqPsn?: number;
  /** ACK timeout exponent t: 4.096 µs × 2^t. */
  timeout?: number;
  /** Retries after a timeout, 0-7. */
  retryCount?: number;
  /** Retries after an RNR NAK, 0-7; 7 means no limit. */
  rnrRetry?: number;
  /** RNR NAK timer code, 0-31. */
  minRnrTimer?: number;
  /** Most outstanding READs and atomics as initiator. */
  maxRdAtomic?: number;
  /** Most READs and atomics at a time as responder. */
  maxDestRdAtomic?: number;
}

export interface NativeQpStatus {
  state: number;
  /** `enum ibv_mtu`. */
  pathMtu: number;
  /** Number of the peer's QP. */
  destQpn: number;
  /** Next expected PSN. */
  rqPsn: number;
  /** Next PSN that is sent. */
  sqPsn: number;
  /** ACK timeout exponent. */
  timeout: number;
  /** Retries after a timeout. */
  retryCount: number;
  /** Retries after an RNR NAK. */
  rnrRetry: number;
  /** RNR NAK timer code. */
  minRnrTimer: number;
  /** Most outstanding READs and atomics as initiator. */
  maxRdAtomic: number;
  /** Most READs and atomics at a time as responder. */
  maxDestRdAtomic: number;
  /** Port of the device. */
  port: number;
  /** Q_Key that datagrams must carry (UD). */
  qkey: number;
  accessFlags: number;
  /** Most work requests in the send queue. */
  maxSendWr: number;
  /** Most work requests in the receive queue. */
  maxRecvWr: number;
  /** Most scatter/gather entries per send request. */
  maxSendSge: number;
  /** Most scatter/gather entries per receive request. */
  maxRecvSge: number;
  /** Most bytes that can be posted inline. */
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
  /** Bits of IBV_SEND_*. */
  flags: number;
  sges: NativeSge[];
  remoteAddr: bigint;
  rkey: number;
  /** Immediate data in host order. */
  immediate: number;
  compareAdd: bigint;
  swap: bigint;
  invalidateRkey: number;
  /** Address handle; only with a UD queue pair. */
  ah?: NativeAh;
  remoteQpn: number;
  remoteQkey: number;
  /** Window to bind; only with BIND_MW. */
  bind?: NativeBind;
}

/** Memory that a window opens. */
export interface NativeBind {
  mw: NativeMw;
  /** New key. `bindMw` does not read it. */
  rkey: number;
  mr: NativeMr;
  addr: bigint;
  length: bigint;
  access: number;
}

/** A shared receive queue. */
export interface NativeSrq {
  close(): void;
  readonly closed: boolean;
  readonly children: number;
  /** Name of the queue in asynchronous events. */
  readonly token: number;
  modify(maxWr: number | undefined, limit: number | undefined): void;
  query(): { maxWr: number; maxSge: number; limit: number };
  /** Posts receives. The detail of an error says how many were accepted. */
  postRecv(wrs: NativeRecvWr[]): void;
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
  srq: NativeSrq | null;
  /** Id for which `rdma_create_qp` makes the QP; null for a QP without a CM id. */
  cmId: NativeCmId | null;
  /** Bits of IBV_QP_EX_WITH_*; 0: no extended posting. */
  sendOps: bigint;
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
  /**
   * Calls `ibv_post_send` once with the whole list. The detail of an error says how many were accepted. EBUSY while a
   * loop has the QP.
   */
  postSend(wrs: NativeSendWr[]): void;
  /**
   * Posts all or nothing, from `ibv_wr_start` to `ibv_wr_complete`. EOPNOTSUPP for an opcode that `sendOps` did not
   * include.
   */
  postExtended(wrs: NativeSendWr[]): void;
  postRecv(wrs: NativeRecvWr[]): void;
  /** Calls `ibv_bind_mw` for a window of type 1. The window's `rkey` then has the new value. */
  bindMw(bind: NativeBind & { wrId: bigint; flags: number }): void;
  attachMcast(gid: Uint8Array, lid: number): void;
  detachMcast(gid: Uint8Array, lid: number): void;
}
