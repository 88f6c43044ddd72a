import { z } from 'zod';
import { op } from './endpoint-op.js';
import { handle, zRecvWr, zSendWr, zWindow } from './endpoint-work.js';
import { zAccess, zCount, zGid, zHex64, zSeenQpState, zU24, zU32 } from './verbs.js';

/** Most requests of a `postSendList`. */
export const POST_LIST = 1024;

const none = z.object({});
const region = z.object({ mr: handle, addr: zHex64, length: zCount, lkey: zU32, rkey: zU32 });
const group = z.object({ qp: handle, gid: zGid });

/** An asynchronous event. `cq` and `srq` are handles. */
export const zAsync = z.object({
  event: z.string(),
  qpn: zU24.optional(),
  cq: handle.optional(),
  srq: handle.optional(),
});

/** Verbs beyond connected queue pairs. */
export const VERBS_OPS = {
  /** Moves a UD queue pair from RESET to RTS, and reports each transition. Default `qkey`: 0x11111111. */
  activateQp: op(
    () => z.object({ qp: handle, qkey: zU32.optional() }),
    () => z.object({ state: zSeenQpState }),
  ),
  /** Posts the whole list with one call. `extended`: from ibv_wr_start to ibv_wr_complete, all or nothing. */
  postSendList: op(
    () =>
      z.object({
        qp: handle,
        wrs: z.array(zSendWr).min(1).max(POST_LIST),
        extended: z.boolean().optional(),
      }),
    () => none,
  ),
  createAh: op(
    () =>
      z.object({
        pd: handle,
        gid: zGid,
        gidIndex: zCount.optional(),
        hopLimit: z.int().min(0).max(255).optional(),
        trafficClass: z.int().min(0).max(255).optional(),
        flowLabel: z.int().min(0).max(0xf_ffff).optional(),
      }),
    () => z.object({ ah: handle }),
  ),
  /** Reads the GRH of 40 bytes at the start of a datagram's buffer. */
  readGrh: op(
    () => z.object({ mr: handle, offset: zCount }),
    () =>
      z.object({
        version: z.union([z.literal(4), z.literal(6)]),
        sourceGid: zGid,
        destGid: zGid,
        hopLimit: zCount,
        trafficClass: zCount,
        flowLabel: zCount,
      }),
  ),
  attachMulticast: op(
    () => group,
    () => none,
  ),
  detachMulticast: op(
    () => group,
    () => none,
  ),
  createSrq: op(
    () => z.object({ pd: handle, maxWr: z.int().min(1), maxSge: z.int().min(1).optional() }),
    () => z.object({ srq: handle, maxWr: zCount }),
  ),
  postSrqRecv: op(
    () => z.object({ srq: handle, wr: zRecvWr }),
    () => none,
  ),
  modifySrq: op(
    () => z.object({ srq: handle, maxWr: z.int().min(1).optional(), limit: zCount.optional() }),
    () => none,
  ),
  querySrq: op(
    () => z.object({ srq: handle }),
    () => z.object({ maxWr: zCount, maxSge: zCount, limit: zCount }),
  ),
  allocMw: op(
    () => z.object({ pd: handle, type: z.union([z.literal(1), z.literal(2)]) }),
    () => z.object({ mw: handle, rkey: zU32 }),
  ),
  /** Binds a window of type 1. Type 2: `postSend` with BIND_MW. */
  bindMw: op(
    () => zWindow.extend({ qp: handle, wrId: zCount.optional() }),
    () => z.object({ rkey: zU32 }),
  ),
  /** Returns the key after the last accepted bind. */
  queryMw: op(
    () => z.object({ mw: handle }),
    () => z.object({ rkey: zU32 }),
  ),
  /** Changes a region. Omitted properties stay. `length`: new, zeroed memory. The keys may change. */
  reregMr: op(
    () =>
      z.object({
        mr: handle,
        pd: handle.optional(),
        length: z.int().min(1).max(0x1_0000_0000).optional(),
        access: zAccess.optional(),
      }),
    () => region,
  ),
  resizeCq: op(
    () =>
      z.object({
        cq: handle,
        depth: z
          .int()
          .min(1)
          .max(1 << 24),
      }),
    () => z.object({ depth: zCount }),
  ),
  /** Arms the CQ: its next completion raises an event. The CQ must have been made with `events`. */
  reqNotify: op(
    () => z.object({ cq: handle }),
    () => none,
  ),
  /**
   * Returns the number of events that the CQ has raised. Waits until there are more than `seen`, or the time is over.
   * Does not poll or arm.
   */
  waitEvent: op(
    () => z.object({ cq: handle, seen: zCount, timeoutMs: z.number().min(0).max(60_000) }),
    () => z.object({ events: zCount }),
  ),
  /** Returns the asynchronous events since the last answer. Waits if there is none. Empty when the time is over. */
  waitAsync: op(
    () => z.object({ timeoutMs: z.number().min(0).max(60_000) }),
    () => z.object({ events: z.array(zAsync) }),
  ),
} as const;
