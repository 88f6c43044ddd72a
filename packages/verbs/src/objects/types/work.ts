/** Work requests and completions. */
import type { NativeWc } from '../../native/completions.js';
import type { Ah } from '../ah.js';
import type { Mr } from '../mr.js';
import type { Mw } from '../mw.js';
import type { Access } from './qp.js';

/** Operation of a send work request (`IBV_WR_*`). */
export type SendOpcode =
  | 'RDMA_WRITE'
  | 'RDMA_WRITE_WITH_IMM'
  | 'SEND'
  | 'SEND_WITH_IMM'
  | 'RDMA_READ'
  | 'ATOMIC_CMP_AND_SWP'
  | 'ATOMIC_FETCH_AND_ADD'
  | 'LOCAL_INV'
  | 'BIND_MW'
  | 'SEND_WITH_INV';

/** Operation that a completion reports (`IBV_WC_*`). Not defined by the verbs when the status is an error. */
export type WcOpcode =
  | 'SEND'
  | 'RDMA_WRITE'
  | 'RDMA_READ'
  | 'COMP_SWAP'
  | 'FETCH_ADD'
  | 'BIND_MW'
  | 'LOCAL_INV'
  | 'RECV'
  | 'RECV_RDMA_WITH_IMM'
  | 'UNKNOWN';

/** Status of a completion (`IBV_WC_*`). `STATUS_<n>` for a number that the manual does not have. */
export type WcStatus =
  | 'SUCCESS'
  | 'LOC_LEN_ERR'
  | 'LOC_QP_OP_ERR'
  | 'LOC_PROT_ERR'
  | 'WR_FLUSH_ERR'
  | 'MW_BIND_ERR'
  | 'BAD_RESP_ERR'
  | 'LOC_ACCESS_ERR'
  | 'REM_INV_REQ_ERR'
  | 'REM_ACCESS_ERR'
  | 'REM_OP_ERR'
  | 'RETRY_EXC_ERR'
  | 'RNR_RETRY_EXC_ERR'
  | 'REM_ABORT_ERR'
  | 'FATAL_ERR'
  | 'RESP_TIMEOUT_ERR'
  | 'GENERAL_ERR'
  | (string & {});

/** A completion: `struct ibv_wc`. */
export interface WorkCompletion extends Omit<
  NativeWc,
  'status' | 'opcode' | 'flags' | 'immediate' | 'invalidatedRkey' | 'slid' | 'sl'
> {
  /** SUCCESS, or why the request failed. */
  status: WcStatus;
  /** The number behind {@link status}. */
  statusCode: number;
  /** What completed. */
  opcode: WcOpcode;
  /** Immediate data in host order, when the completion carries one. */
  immediate?: number;
  /** Key that the peer's SEND with invalidate made invalid, when it was one. */
  invalidatedRkey?: number;
  /** The buffer begins with a GRH of {@link GRH_BYTES} (UD): {@link byteLength} counts it. */
  grh: boolean;
  /** InfiniBand's local address of the sender (UD); 0 on Ethernet. */
  sourceLid: number;
  /** Service level that the datagram came with. */
  serviceLevel: number;
}

/** A piece of registered memory. */
export interface Sge {
  /** The region. */
  mr: Mr;
  /** Offset in the region. Default 0. */
  offset?: number;
  /** Default: the rest of the region. */
  length?: number;
  /** Instead of the region's own key: to show what a wrong one does. */
  lkey?: number;
}

interface SendBase {
  /** Comes back in the completion. Default 0. */
  wrId?: bigint | number;
  /** Local memory: one piece or a list. Left out for a message of 0 bytes. */
  local?: Sge | readonly Sge[];
  /** Makes a completion when it succeeds. Default true. */
  signaled?: boolean;
  /** Waits for the READs and atomics posted before. */
  fence?: boolean;
  /** Wakes a receiver that asked for solicited events only. */
  solicited?: boolean;
  /** The bytes are copied while posting; `maxInlineData` of the QP limits them. */
  inline?: boolean;
}

/** Memory of the peer: what {@link Mr.remote} gives there. */
export interface RemoteMemory {
  /** Virtual address at the peer. */
  addr: bigint | number;
  /** Key that the peer gave out. */
  rkey: number;
}

/** Where a datagram goes: needed on a UD queue pair, not allowed on others. */
export interface DatagramTarget {
  /** Way to the peer's port. */
  ah: Ah;
  /** Number of the peer's QP. */
  remoteQpn: number;
  /** Q_Key that the peer's QP expects. */
  remoteQkey: number;
}

/** A part of a memory region that a window opens, and the rights that its key gives. */
export interface WindowRange {
  /** The region. It must be registered with MW_BIND. */
  mr: Mr;
  /** First byte in the region. Default 0. */
  offset?: number;
  /** Bytes. Default: the rest of the region. */
  length?: number;
  /** Default: REMOTE_WRITE and REMOTE_READ. */
  access?: readonly Access[];
}

/** A send work request. */
export type SendWr =
  | (SendBase & Partial<DatagramTarget> & { opcode: 'SEND' })
  | (SendBase & Partial<DatagramTarget> & { opcode: 'SEND_WITH_IMM'; immediate: number })
  | (SendBase & { opcode: 'SEND_WITH_INV'; invalidateRkey: number })
  | (SendBase & { opcode: 'LOCAL_INV'; invalidateRkey: number })
  | (SendBase & {
      opcode: 'BIND_MW';
      /** A window of type 2. */
      mw: Mw;
      /** The window's new key: {@link Mw.nextRkey}. */
      rkey: number;
      range: WindowRange;
    })
  | (SendBase & { opcode: 'RDMA_WRITE'; remote: RemoteMemory })
  | (SendBase & { opcode: 'RDMA_WRITE_WITH_IMM'; remote: RemoteMemory; immediate: number })
  | (SendBase & { opcode: 'RDMA_READ'; remote: RemoteMemory })
  | (SendBase & {
      opcode: 'ATOMIC_CMP_AND_SWP';
      remote: RemoteMemory;
      compare: bigint | number;
      swap: bigint | number;
    })
  | (SendBase & { opcode: 'ATOMIC_FETCH_AND_ADD'; remote: RemoteMemory; add: bigint | number });

/** A receive work request. */
export interface RecvWr {
  /** Comes back in the completion. Default 0. */
  wrId?: bigint | number;
  /** Where the message lands: one piece or a list. Left out for messages of 0 bytes and for WRITEs with immediate data. */
  local?: Sge | readonly Sge[];
}
