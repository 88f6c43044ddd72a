/** Queue pairs: attributes, work requests, the object. */
import type { NativeCmId } from './cm.js';
import type { NativeCq } from './completions.js';
import type { NativeAddress, NativeAh, NativeMr, NativeMw } from './device.js';

/** Present members are put into `struct ibv_qp_attr`, and their mask bits set. */
export interface NativeQpAttr {
  state?: number;
  curState?: number;
  /** Place in the partition key table; 0 on RoCE. */
  pkeyIndex?: number;
  /** Port of the device. */
  port?: number;
  /** Key of datagrams (UD). */
  qkey?: number;
  accessFlags?: number;
  ah?: NativeAddress;
  /** `enum ibv_mtu`. */
  pathMtu?: number;
  /** Number of the peer's QP. */
  destQpn?: number;
  /** First PSN to expect. */
  rqPsn?: number;
  /** First PSN to send. */
  sqPsn?: number;
  /** ACK timeout exponent t: 4.096 us x 2^t. */
  timeout?: number;
  /** Tries after a timeout, 0-7. */
  retryCount?: number;
  /** Tries after an RNR NAK, 0-7; 7 is for ever. */
  rnrRetry?: number;
  /** RNR NAK timer code, 0-31. */
  minRnrTimer?: number;
  /** READs and atomics under way as initiator. */
  maxRdAtomic?: number;
  /** READs and atomics under way as responder. */
  maxDestRdAtomic?: number;
}

export interface NativeQpStatus {
  state: number;
  /** `enum ibv_mtu`. */
  pathMtu: number;
  /** Number of the peer's QP. */
  destQpn: number;
  /** PSN expected next. */
  rqPsn: number;
  /** PSN sent next. */
  sqPsn: number;
  /** ACK timeout exponent. */
  timeout: number;
  /** Tries after a timeout. */
  retryCount: number;
  /** Tries after an RNR NAK. */
  rnrRetry: number;
  /** RNR NAK timer code. */
  minRnrTimer: number;
  /** READs and atomics under way as initiator. */
  maxRdAtomic: number;
  /** READs and atomics under way as responder. */
  maxDestRdAtomic: number;
  /** Port of the device. */
  port: number;
  /** Key that datagrams must carry (UD). */
  qkey: number;
  accessFlags: number;
  /** Work requests that the send queue holds. */
  maxSendWr: number;
  /** Work requests that the receive queue holds. */
  maxRecvWr: number;
  /** Pieces a send request. */
  maxSendSge: number;
  /** Pieces a receive request. */
  maxRecvSge: number;
  /** Bytes that can be posted inline. */
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
  invalidateRkey: number;
  /** With a UD queue pair. */
  ah?: NativeAh;
  remoteQpn: number;
  remoteQkey: number;
  /** With BIND_MW. */
  bind?: NativeBind;
}

/** What a window is to open. */
export interface NativeBind {
  mw: NativeMw;
  /** New key; not read by `bindMw`. */
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
  /** What asynchronous events name it by. */
  readonly token: number;
  modify(maxWr: number | undefined, limit: number | undefined): void;
  query(): { maxWr: number; maxSge: number; limit: number };
  /** The detail of the error says how many were accepted. */
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
  /** Made by `rdma_create_qp` for this id. */
  cmId: NativeCmId | null;
  /** IBV_QP_EX_WITH_*; 0: no extended posting. */
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
  /** One `ibv_post_send` with the whole list. The detail of the error says how many were accepted. EBUSY while a loop has the QP. */
  postSend(wrs: NativeSendWr[]): void;
  /** `ibv_wr_start` to `ibv_wr_complete`: all or nothing. EOPNOTSUPP for an opcode that `sendOps` did not name. */
  postExtended(wrs: NativeSendWr[]): void;
  postRecv(wrs: NativeRecvWr[]): void;
  /** `ibv_bind_mw`, a window of type 1; the window's `rkey` is the new one afterward. */
  bindMw(bind: NativeBind & { wrId: bigint; flags: number }): void;
  attachMcast(gid: Uint8Array, lid: number): void;
  detachMcast(gid: Uint8Array, lid: number): void;
}
