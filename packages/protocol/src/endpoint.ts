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
import { zQpPolicy } from './policies.js';
import { zErrorInfo } from './error-schema.js';
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
 * Endpoint RPC: the commands of a lab's procedure. Requests and replies are JSON. The same commands work across agents,
 * so they contain no path, file descriptor or pointer. Handles name objects: numbers that the endpoint assigns. Names
 * of operations and options are those of packages/verbs.
 *
 * The endpoint reports every verbs call of a command as a `verb` event, and `qp`, `completion` and `wr` events where
 * they apply, with the time on the endpoint.
 */

const none = z.object({});

/** Most memory that a command reads or writes, bytes. */
export const MEMORY_PIECE_BYTES = 64 * 1024;

export const zQpInfo = z.object({
  qpn: zU24,
  /** First PSN that this side sends. */
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

/** A transition. The mask follows from the attributes present, which are those of `QpAttributes` of packages/verbs. */
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
  /**
   * Opens the device. Must be the first command; its verbs calls are reported with those of the next one. `clock` is
   * the agent's CLOCK_MONOTONIC (ns, decimal) at which the run's clock reads 0.
   */
  open: op(
    () => z.object({ device: z.string(), clock: z.string().regex(/^\d{1,20}$/), port: zCount.optional() }),
    () => z.object({ device: zDeviceInfo, pid: zCount, port: zCount }),
  ),
  /** Queries device, port and GID again, and reports each call. */
  query: op(
    () => none,
    () => z.object({ device: zDeviceInfo, port: zCount, gidIndex: zCount, gid: zGid, mtu: zSeenMtu }),
  ),
  /**
   * Allocates a PD. `cm`: on the context of this id of the connection manager. QPs of ids require PDs and CQs from that
   * context.
   */
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
        /** Id of the connection manager, as for `allocPd`. */
        cm: handle.optional(),
      }),
    () => z.object({ cq: handle, depth: zCount }),
  ),
  createQp: op(
    () =>
      z.object({
        pd: handle,
        /** Transport service. Default RC. */
        type: z.enum(['RC', 'UC', 'UD']).optional(),
        sendCq: handle,
        recvCq: handle.optional(),
        maxSendWr: zCount.optional(),
        maxRecvWr: zCount.optional(),
        maxSendSge: zCount.optional(),
        maxRecvSge: zCount.optional(),
        maxInlineData: zCount.optional(),
        signalAll: z.boolean().optional(),
        /** Shared receive queue. The QP then has no receive queue of its own. */
        srq: handle.optional(),
        /** True if the QP is for `postExtended`. */
        extended: z.boolean().optional(),
        link: zQpLink.optional(),
        /** Recovery and congestion control of an RC queue pair. */
        policy: zQpPolicy.optional(),
      }),
    () => z.object({ qp: handle, info: zQpInfo }),
  ),
  modifyQp: op(
    () => z.object({ qp: handle, attrs: zQpAttributes }),
    () => z.object({ state: zSeenQpState }),
  ),
  /** Moves the QP from RESET to RTS. Reports each transition as its own `verb` and `qp` event. */
  connectQp: op(
    () =>
      z.object({
        qp: handle,
        remote: zQpInfo.pick({ qpn: true, psn: true, gid: true, lid: true, mtu: true }),
        options: zConnectOptions.optional(),
      }),
    () => z.object({ state: zSeenQpState }),
  ),
  /**
   * Returns the link of a connected queue pair, once the other process has answered. Requires the capability `link`.
   */
  qpLink: op(
    () => z.object({ qp: handle }),
    () => z.object({ link: zLink }),
  ),
  /**
   * Sends a packet unchanged over the link of a connected queue pair, which is not aware of it. `hex`: from the BTH to
   * the ICRC, two digits per byte. Requires the capability `sendPacket`.
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
  /** Posts `count` equal RECVs with one call; default 1. */
  postRecv: op(
    () => z.object({ qp: handle, wr: zRecvWr, count: z.int().min(1).max(4096).optional() }),
    () => none,
  ),
  pollCq: op(
    () => z.object({ cq: handle, max: z.int().min(1).max(4096).optional() }),
    () => z.object({ completions: z.array(zWc) }),
  ),
  /** Waits until `count` completions have arrived or the time is over, with fewer then. */
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
  /** Fills memory with a pattern that depends only on seed and position, so that two ends can compare. */
  fillMemory: op(
    () => z.object({ mr: handle, offset: zCount, length: zCount, seed: zU32 }),
    () => none,
  ),
  /**
   * Replaces the pages of a region's memory by zeroed pages at the same address, like `munmap` and `mmap`, while the
   * region stays registered.
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
  /** Reads the counters. Reports a `counter` event too, unless `quiet`: that reading is not part of the run. */
  counters: op(
    () => z.object({ when: z.enum(['before', 'after', 'sample']), quiet: z.literal(true).optional() }),
    () => z.object({ values: z.record(z.string(), z.number()) }),
  ),
  /** Reads the CPU time. Reports a `cpu` event too. */
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
  /** Destroys all objects in order and ends the endpoint. */
  close: op(
    () => none,
    () => none,
  ),
} as const;

export type EndpointOp = keyof typeof ENDPOINT_OPS;
export type EndpointArgs<K extends EndpointOp> = z.input<(typeof ENDPOINT_OPS)[K]['args']>;
export type EndpointResult<K extends EndpointOp> = z.infer<(typeof ENDPOINT_OPS)[K]['result']>;

export const ENDPOINT_OP_NAMES = Object.keys(ENDPOINT_OPS) as [EndpointOp, ...EndpointOp[]];

/** Request from the agent to an endpoint. The endpoint checks `args` against ENDPOINT_OPS. */
export const zEndpointRequest = z.object({
  id: zU32,
  op: z.enum(ENDPOINT_OP_NAMES),
  args: z.unknown(),
});
export type EndpointRequest = z.infer<typeof zEndpointRequest>;

/** Message from an endpoint to the agent. Bulk data comes in separate binary frames. */
export const zEndpointMessage = z.union([
  z.object({ events: zEndpointEvents }),
  // Errors come before results in the union: a result may be anything, and an error must be checked as one.
  /**
   * `frames`: total number of binary frames that the endpoint sent before this answer. The answer counts once they have
   * arrived.
   */
  z.strictObject({ re: zU32, error: zErrorInfo, frames: zU32.optional() }),
  z.strictObject({ re: zU32, result: z.unknown(), frames: zU32.optional() }),
]);
export type EndpointMessage =
  | { re: number; result: unknown; frames?: number }
  | { re: number; error: z.infer<typeof zErrorInfo>; frames?: number }
  | { events: (EmittedEvent & { t: number })[] };

/** A lab's handle of an endpoint on any host. Calls reject with AppError. */
export interface EndpointHandle {
  /** Role in the lab, unique in the run. */
  readonly name: string;
  readonly device: DeviceInfo;
  /** Uncertainty of its times on the run’s clock, ns. Only for an endpoint on another host. */
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
