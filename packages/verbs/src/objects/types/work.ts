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

/** Operation of a completion (`IBV_WC_*`). The verbs do not define it if the status is an error. */
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

/** Status of a completion (`IBV_WC_*`). `STATUS_<n>` for a number that the manual does not list. */
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
  /** Status: SUCCESS, or the reason of the failure. */
  status: WcStatus;
  /** Number of the {@link status}. */
  statusCode: number;
  /** Operation that completed. */
  opcode: WcOpcode;
  /** Immediate data in host order, if the completion carries any. */
  immediate?: number;
  /** Key that the peer's SEND with invalidate invalidated, if the request was one. */
  invalidatedRkey?: number;
  /** True if the buffer begins with a GRH of {@link GRH_BYTES} (UD). {@link byteLength} includes it. */
  grh: boolean;
  /** InfiniBand local identifier of the sender (UD); 0 on Ethernet. */
  sourceLid: number;
  /** Service level of the datagram. */
  serviceLevel: number;
}

/** A part of a registered memory region (scatter/gather entry). */
export interface Sge {
  /** The region. */
  mr: Mr;
  /** Offset in the region. Default 0. */
  offset?: number;
  /** Length, bytes. Default: the rest of the region. */
  length?: number;
  /** Key in place of the region's own, to show the effect of a wrong key. */
  lkey?: number;
}

interface SendBase {
  /** Id of the request, which the completion returns. Default 0. */
  wrId?: bigint | number;
  /** Local memory: one part or a list. Omitted for a message of 0 bytes. */
  local?: Sge | readonly Sge[];
  /** True if the request makes a completion when it succeeds. Default true. */
  signaled?: boolean;
  /** True if the request waits for earlier READs and atomics. */
  fence?: boolean;
  /** True if the request wakes a receiver that asked only for solicited events. */
  solicited?: boolean;
  /** True if the bytes are copied while posting. `maxInlineData` of the QP limits them. */
  inline?: boolean;
}

/** Memory of the peer, from its {@link Mr.remote}. */
export interface RemoteMemory {
  /** Virtual address at the peer. */
  addr: bigint | number;
  /** Key from the peer. */
  rkey: number;
}

/** Target of a datagram: required on a UD queue pair, not allowed on others. */
export interface DatagramTarget {
  /** Path to the peer's port. */
  ah: Ah;
  /** Number of the peer's QP. */
  remoteQpn: number;
  /** Q_Key that the peer's QP expects. */
  remoteQkey: number;
}

/** Part of a memory region that a window opens, and the rights of its key. */
export interface WindowRange {
  /** Region. It must be registered with MW_BIND. */
  mr: Mr;
  /** Offset of the first byte in the region. Default 0. */
  offset?: number;
  /** Length, bytes. Default: the rest of the region. */
  length?: number;
  /** Rights. Default: REMOTE_WRITE and REMOTE_READ. */
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
      /** Window of type 2. */
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
  /** Id of the request, which the completion returns. Default 0. */
  wrId?: bigint | number;
  /** Memory for the message: one part or a list. Omitted for messages of 0 bytes and for WRITEs with immediate data. */
  local?: Sge | readonly Sge[];
}
