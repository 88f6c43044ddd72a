import { z } from 'zod';
import type { Capability } from './capabilities.js';
import { zDeviceInfo, type DeviceInfo } from './device.js';
import { CM_OPS } from './endpoint-cm.js';
import { CONNECT_OPS } from './endpoint-connect.js';
import { COST_OPS } from './endpoint-costs.js';
import { FACTS_OPS } from './endpoint-facts.js';
import { LAMBDA_OPS } from './endpoint-lambda.js';
import { LOOP_OPS } from './endpoint-loop.js';
import { MEMORY_COST_OPS } from './endpoint-memory-cost.js';
import { op } from './endpoint-op.js';
import { PACKET_OPS } from './endpoint-packets.js';
import { ROUND_OPS } from './endpoint-rounds.js';
import { TIMED_OPS } from './endpoint-timed.js';
import { VERBS_OPS } from './endpoint-verbs.js';
import { handle, zQpLink, zRecvWr, zSendWr } from './endpoint-work.js';
import { zErrorInfo } from './errors.js';
import type { EmittedEvent } from './events.js';
import { zEndpointEvents } from './reported-events.js';
import { zLink, zTransport } from './runs.js';
import {
  zAccess,
  zCount,
  zGid,
  zHex64,
  zMtu,
  zQpState,
  zSeenMtu,
  zSeenQpState,
  zU24,
  zU32,
  zWc,
} from './verbs.js';

/**
 * Endpoint RPC: what a lab's procedure drives. Requests and replies are JSON; the same commands work across
 * agents, so they hold no path, file descriptor or pointer. Objects are named by handles, numbers that the
 * endpoint gives out. Names of operations and options are those of packages/verbs.
 *
 * Every verbs call that a command leads to is reported as a `verb` event (and `qp`, `completion`, `wr` events
 * where they apply), stamped by the endpoint.
 */

const none = z.object({});

/** Largest piece of memory that one command reads or writes. */
export const MEMORY_PIECE_BYTES = 64 * 1024;

export const zQpInfo = z.object({
  qpn: zU24,
  /** First PSN this side sends with. */
  psn: zU24,
  gid: zGid,
  gidIndex: zCount,
  lid: zCount,
  mtu: zMtu,
});
export type QpInfo = z.infer<typeof zQpInfo>;

export const zConnectOptions = z.object({
  port: zCount.optional(),
  gidIndex: zCount.optional(),
  psn: zU24.optional(),
  mtu: zMtu.optional(),
  access: zAccess.optional(),
  timeout: z.int().min(0).max(31).optional(),
  retryCount: z.int().min(0).max(7).optional(),
  rnrRetry: z.int().min(0).max(7).optional(),
  minRnrTimer: z.int().min(0).max(31).optional(),
  maxRdAtomic: z.int().min(0).max(255).optional(),
  maxDestRdAtomic: z.int().min(0).max(255).optional(),
});
export type ConnectOptions = z.infer<typeof zConnectOptions>;

/** One transition; the mask follows from what is given. Attributes as `QpAttributes` of packages/verbs. */
export const zQpAttributes = zConnectOptions.omit({ psn: true, mtu: true }).extend({
  state: zQpState.exclude(['UNKNOWN']),
  pkeyIndex: zCount.optional(),
  qkey: zU32.optional(),
  pathMtu: zMtu.optional(),
  destQpn: zU24.optional(),
  rqPsn: zU24.optional(),
  sqPsn: zU24.optional(),
  remoteGid: zGid.optional(),
});

/** Arguments and result of every command. */
export const ENDPOINT_OPS = {
  /** First command; its verbs calls are reported with those of the next one. `clock` is the agent's CLOCK_MONOTONIC (ns, decimal) at which the run's clock reads 0. */
  open: op(
    () => z.object({ device: z.string(), clock: z.string().regex(/^\d{1,20}$/), port: zCount.optional() }),
    () => z.object({ device: zDeviceInfo, pid: zCount, port: zCount }),
  ),
  /** Queries device, port and GID again; each call is reported. */
  query: op(
    () => none,
    () => z.object({ device: zDeviceInfo, port: zCount, gidIndex: zCount, gid: zGid, mtu: zSeenMtu }),
  ),
  /** `cm`: on the device as this id of the connection manager has it; QPs of ids need PDs and CQs from there. */
  allocPd: op(
    () => z.object({ cm: handle.optional() }),
    () => z.object({ pd: handle }),
  ),
  regMr: op(
    () =>
      z.object({
        pd: handle,
        length: z.int().min(1).max(0x1_0000_0000),
        access: zAccess,
        hugePages: z.boolean().optional(),
      }),
    () => z.object({ mr: handle, addr: zHex64, length: zCount, lkey: zU32, rkey: zU32 }),
  ),
  createCq: op(
    () =>
      z.object({
        depth: z
          .int()
          .min(1)
          .max(1 << 24),
        events: z.boolean().optional(),
        /** As for `allocPd`. */
        cm: handle.optional(),
      }),
    () => z.object({ cq: handle, depth: zCount }),
  ),
  createQp: op(
    () =>
      z.object({
        pd: handle,
        /** Default RC. */
        type: z.enum(['RC', 'UC', 'UD']).optional(),
        sendCq: handle,
        recvCq: handle.optional(),
        maxSendWr: zCount.optional(),
        maxRecvWr: zCount.optional(),
        maxSendSge: zCount.optional(),
        maxRecvSge: zCount.optional(),
        maxInlineData: zCount.optional(),
        signalAll: z.boolean().optional(),
        /** Shared receive queue instead of one of its own. */
        srq: handle.optional(),
        /** For `postExtended`. */
        extended: z.boolean().optional(),
        link: zQpLink.optional(),
      }),
    () => z.object({ qp: handle, info: zQpInfo }),
  ),
  modifyQp: op(
    () => z.object({ qp: handle, attrs: zQpAttributes }),
    () => z.object({ state: zSeenQpState }),
  ),
  /** RESET to RTS, each transition reported as its own `verb` and `qp` event. */
  connectQp: op(
    () =>
      z.object({
        qp: handle,
        remote: zQpInfo.pick({ qpn: true, psn: true, gid: true, lid: true, mtu: true }),
        options: zConnectOptions.optional(),
      }),
    () => z.object({ state: zSeenQpState }),
  ),
  /** What a connected queue pair sends through, once the other process has answered. Needs the capability `link`. */
  qpLink: op(
    () => z.object({ qp: handle }),
    () => z.object({ link: zLink }),
  ),
  /**
   * Sends one packet as it is, over the link of a connected queue pair, which does not know of it. `hex`: from the BTH to
   * the ICRC, two digits a byte. Needs the capability `sendPacket`.
   */
  sendPacket: op(
    () => z.object({ qp: handle, hex: z.string().regex(/^([0-9a-f]{2}){16,4160}$/) }),
    () => none,
  ),
  queryQp: op(
    () => z.object({ qp: handle }),
    () => z.object({ state: zSeenQpState, attrs: z.record(z.string(), z.json()) }),
  ),
  postSend: op(
    () => z.object({ qp: handle, wr: zSendWr }),
    () => none,
  ),
  /** `count` RECVs alike, with one call; default 1. */
  postRecv: op(
    () => z.object({ qp: handle, wr: zRecvWr, count: z.int().min(1).max(4096).optional() }),
    () => none,
  ),
  pollCq: op(
    () => z.object({ cq: handle, max: z.int().min(1).max(4096).optional() }),
    () => z.object({ completions: z.array(zWc) }),
  ),
  /** Waits until `count` completions came or the time is over; fewer then. */
  waitCq: op(
    () => z.object({ cq: handle, count: z.int().min(1).max(4096), timeoutMs: z.number().min(0).max(60_000) }),
    () => z.object({ completions: z.array(zWc) }),
  ),
  readMemory: op(
    () => z.object({ mr: handle, offset: zCount, length: z.int().min(0).max(MEMORY_PIECE_BYTES) }),
    () => z.object({ base64: z.string() }),
  ),
  writeMemory: op(
    () =>
      z.object({ mr: handle, offset: zCount, base64: z.string().max(Math.ceil(MEMORY_PIECE_BYTES / 3) * 4) }),
    () => none,
  ),
  /** Fills memory with a pattern that depends on seed and position alone, so that two ends can compare. */
  fillMemory: op(
    () => z.object({ mr: handle, offset: zCount, length: zCount, seed: zU32 }),
    () => none,
  ),
  /**
   * Replaces the pages of a region's memory by zeroed ones at the same address, as `munmap` and `mmap` do, while it stays
   * registered.
   */
  replacePages: op(
    () => z.object({ mr: handle }),
    () => none,
  ),
  hashMemory: op(
    () => z.object({ mr: handle, offset: zCount, length: zCount }),
    () => z.object({ sha256: z.string() }),
  ),
  destroy: op(
    () => z.object({ what: z.enum(['qp', 'cq', 'mr', 'pd', 'srq', 'ah', 'mw', 'cm']), handle }),
    () => none,
  ),
  ...LOOP_OPS,
  ...PACKET_OPS,
  /** Also reported as a `counter` event, unless `quiet`: that reading is not part of the run. */
  counters: op(
    () => z.object({ when: z.enum(['before', 'after', 'sample']), quiet: z.literal(true).optional() }),
    () => z.object({ values: z.record(z.string(), z.number()) }),
  ),
  /** Also reported as a `cpu` event. */
  cpu: op(
    () => none,
    () =>
      z.object({
        processUserNs: z.number(),
        processSystemNs: z.number(),
        nicUserNs: z.number().nullable(),
        nicKernelNs: z.number().nullable(),
      }),
  ),
  ...VERBS_OPS,
  ...CM_OPS,
  ...CONNECT_OPS,
  ...COST_OPS,
  ...FACTS_OPS,
  ...TIMED_OPS,
  ...ROUND_OPS,
  ...LAMBDA_OPS,
  ...MEMORY_COST_OPS,
  pinned: op(
    () => none,
    () =>
      z.object({
        pinnedBytes: zCount,
        unpinnedBytes: zCount,
        regions: zCount,
        memlockLimit: zCount.nullable(),
      }),
  ),
  /** Destroys everything in order and ends the endpoint. */
  close: op(
    () => none,
    () => none,
  ),
} as const;

export type EndpointOp = keyof typeof ENDPOINT_OPS;
export type EndpointArgs<K extends EndpointOp> = z.input<(typeof ENDPOINT_OPS)[K]['args']>;
export type EndpointResult<K extends EndpointOp> = z.infer<(typeof ENDPOINT_OPS)[K]['result']>;

export const ENDPOINT_OP_NAMES = Object.keys(ENDPOINT_OPS) as [EndpointOp, ...EndpointOp[]];

/** Agent to endpoint. `args` is checked by the endpoint against ENDPOINT_OPS. */
export const zEndpointRequest = z.object({
  id: zU32,
  op: z.enum(ENDPOINT_OP_NAMES),
  args: z.unknown(),
});
export type EndpointRequest = z.infer<typeof zEndpointRequest>;

/** Endpoint to agent. Bulk data comes beside these as binary frames. */
export const zEndpointMessage = z.union([
  z.object({ events: zEndpointEvents }),
  // Before results, which may be anything, so that an error is checked as one.
  /** `frames`: binary frames that the endpoint sent before this answer, in all; it counts once they are there. */
  z.strictObject({ re: zU32, error: zErrorInfo, frames: zU32.optional() }),
  z.strictObject({ re: zU32, result: z.unknown(), frames: zU32.optional() }),
]);
export type EndpointMessage =
  | { re: number; result: unknown; frames?: number }
  | { re: number; error: z.infer<typeof zErrorInfo>; frames?: number }
  | { events: (EmittedEvent & { t: number })[] };

/** What a lab holds: an endpoint, wherever it is. Calls reject with AppError. */
export interface EndpointHandle {
  /** Role in the lab, unique in the run. */
  readonly name: string;
  readonly device: DeviceInfo;
  /** On another host: how sure its times are on the run’s clock, ns. */
  readonly clockErrorNs?: number;
  has(capability: Capability): boolean;
  call<K extends EndpointOp>(op: K, args: EndpointArgs<K>): Promise<EndpointResult<K>>;
}

export const zSourceInfo = z.object({
  transport: zTransport,
  role: z.enum(['client', 'server', 'process']),
  what: z.enum(['loop', 'tap']),
  label: z.string(),
  round: z.int().min(1).optional(),
});
export type SourceInfo = z.infer<typeof zSourceInfo>;
