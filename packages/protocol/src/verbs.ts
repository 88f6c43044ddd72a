import { z } from 'zod';
import { zKnown } from './skew.js';

/** Verbs vocabulary shared by all packages: names of libibverbs without their IBV_ prefixes. */

export const QP_STATES = ['RESET', 'INIT', 'RTR', 'RTS', 'SQD', 'SQE', 'ERR', 'UNKNOWN'] as const;
export const zQpState = z.enum(QP_STATES);
/** QP state from a device. */
export const zSeenQpState = zKnown(QP_STATES, 'UNKNOWN');
export type QpState = z.infer<typeof zQpState>;

/** Opcodes of work requests. The index is the value of `enum ibv_wr_opcode`. */
export const WR_OPCODES = [
  'RDMA_WRITE',
  'RDMA_WRITE_WITH_IMM',
  'SEND',
  'SEND_WITH_IMM',
  'RDMA_READ',
  'ATOMIC_CMP_AND_SWP',
  'ATOMIC_FETCH_AND_ADD',
  'LOCAL_INV',
  'BIND_MW',
  'SEND_WITH_INV',
] as const;
export const zWrOpcode = z.enum(WR_OPCODES);

/** Rights of a memory region or QP (`IBV_ACCESS_*`). */
export const ACCESS_FLAGS = [
  'LOCAL_WRITE',
  'REMOTE_WRITE',
  'REMOTE_READ',
  'REMOTE_ATOMIC',
  'MW_BIND',
  'ZERO_BASED',
  'ON_DEMAND',
  'HUGETLB',
  'RELAXED_ORDERING',
] as const;
export const zAccess = z.array(z.enum(ACCESS_FLAGS));
export type Access = (typeof ACCESS_FLAGS)[number];

export const MTUS = [256, 512, 1024, 2048, 4096] as const;
export const zMtu = z.union([
  z.literal(256),
  z.literal(512),
  z.literal(1024),
  z.literal(2048),
  z.literal(4096),
]);
/** MTU from a port. An MTU larger than this version knows counts as the largest known one. */
export const zSeenMtu = z.preprocess((raw) => (typeof raw === 'number' && raw > 4096 ? 4096 : raw), zMtu);
export type Mtu = z.infer<typeof zMtu>;

/** 64-bit value as text, `0x` and 1 to 16 hex digits: JSON numbers cannot hold it. */
export const zHex64 = z.string().regex(/^0x[0-9a-f]{1,16}$/);
/** GID as an IPv6 address in text, e.g. `::ffff:127.0.0.1`. */
export const zGid = z.string().min(2).max(45);
export const zU32 = z.int().min(0).max(0xffff_ffff);
export const zU24 = z.int().min(0).max(0xff_ffff);
/** Non-negative integer that a JSON number holds exactly. */
export const zCount = z.int().min(0);

/** A work completion from ibv_poll_cq. */
export const zWc = z.object({
  wrId: zCount,
  status: zCount,
  /** Name from the status table, e.g. REM_ACCESS_ERR. */
  statusName: z.string(),
  /** Operation; only defined if the status is 0. */
  opcode: z.string(),
  vendorErr: zU32.optional(),
  byteLen: zU32,
  /** Immediate data in host order, if the completion carries any. */
  imm: zU32.optional(),
  qpn: zU24,
  srcQp: zU24.optional(),
  /** Key that a SEND with invalidate invalidated. */
  invalidatedRkey: zU32.optional(),
});
export type Wc = z.infer<typeof zWc>;
