/** Queue pairs: attributes, work requests, the object. */
import type { NativeCq } from './completions.js';

/** Present members are put into `struct ibv_qp_attr`, and their mask bits set. */
export interface NativeQpAttr {
  state?: number;
  curState?: number;
  pkeyIndex?: number;
  port?: number;
  qkey?: number;
  accessFlags?: number;
  ah?: {
    /** 16 bytes; absent: not global. */
    gid?: Uint8Array;
    gidIndex: number;
    dlid: number;
    hopLimit: number;
    trafficClass: number;
    flowLabel: number;
    sl: number;
    port: number;
  };
  /** `enum ibv_mtu`. */
  pathMtu?: number;
  destQpn?: number;
  rqPsn?: number;
  sqPsn?: number;
  timeout?: number;
  retryCount?: number;
  rnrRetry?: number;
  minRnrTimer?: number;
  maxRdAtomic?: number;
  maxDestRdAtomic?: number;
}

export interface NativeQpStatus {
  state: number;
  pathMtu: number;
  destQpn: number;
  rqPsn: number;
  sqPsn: number;
  timeout: number;
  retryCount: number;
  rnrRetry: number;
  minRnrTimer: number;
  maxRdAtomic: number;
  maxDestRdAtomic: number;
  port: number;
  accessFlags: number;
  maxSendWr: number;
  maxRecvWr: number;
  maxSendSge: number;
  maxRecvSge: number;
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
  postRecv(wrs: NativeRecvWr[]): void;
}
