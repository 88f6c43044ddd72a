import { z } from 'zod';
import { zDeviceInfo, type Capability, type DeviceInfo } from './device.js';
import { CM_OPS } from './endpoint-cm.js';
import { COST_OPS } from './endpoint-costs.js';
import { FACTS_OPS } from './endpoint-facts.js';
import { MEMORY_COST_OPS } from './endpoint-memory-cost.js';
import { op } from './endpoint-op.js';
import { TIMED_OPS } from './endpoint-timed.js';
import { VERBS_OPS } from './endpoint-verbs.js';
import { handle, zRecvWr, zRemoteMemory, zSendWr } from './endpoint-work.js';
import { zErrorInfo } from './errors.js';
import { zEndpointEvents, type EmittedEvent } from './events.js';
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

const loopCommon = {
  /** Under which `source` number series, histograms and completions are reported. */
  source: zU32,
  role: z.enum(['initiator', 'target']),
  measure: z.enum(['bandwidth', 'latency']),
  size: z.int().min(1).max(0x4000_0000),
  iterations: zCount.optional(),
  durationMs: z.number().min(1).max(86_400_000).optional(),
  omitMs: z.number().min(0).max(60_000).optional(),
  messagesPerSecond: z.number().min(1).optional(),
  wait: z.enum(['poll', 'event']).optional(),
  idleTimeoutMs: z.number().min(0).optional(),
  /** Stream completion records: all of them, unless the reader lags (counted), or `wait` for it. */
  records: z.enum(['none', 'drop', 'wait']).optional(),
  /** False: no series and no histograms. */
  report: z.boolean().optional(),
};

export const zLoopOptions = z.discriminatedUnion('transport', [
  z.object({
    transport: z.literal('rdma'),
    ...loopCommon,
    qps: z.array(handle).min(1).max(64),
    op: z.enum(['write', 'write-imm', 'read', 'send', 'fetch-add', 'compare-swap']),
    mr: handle,
    offset: zCount.optional(),
    remote: zRemoteMemory.extend({ length: zCount }).optional(),
    txDepth: z.int().min(1).max(65_536).optional(),
    rxDepth: z.int().min(1).max(65_536).optional(),
    postList: z.int().min(1).max(65_536).optional(),
    cqMod: z.int().min(1).max(65_536).optional(),
    inline: z.boolean().optional(),
    /** Messages take turns through all of the memory, large ones too. */
    walk: z.boolean().optional(),
  }),
  z.object({
    transport: z.literal('tcp'),
    ...loopCommon,
    host: z.string().optional(),
    /** Target: 0 picks a free one, named in the reply. */
    port: z.int().min(0).max(65_535),
    direction: z.enum(['out', 'in', 'both']).optional(),
    connections: z.int().min(1).max(64).optional(),
    ackEvery: zCount.optional(),
    /** Bytes of memory that the stream walks through message by message; absent: one message. */
    memory: z.int().min(1).max(0x1_0000_0000).optional(),
  }),
  z.object({
    transport: z.literal('udp'),
    ...loopCommon,
    host: z.string().optional(),
    port: z.int().min(0).max(65_535),
    connected: z.boolean().optional(),
  }),
]);

const zLatency = z.object({
  count: zCount,
  minNs: z.number(),
  meanNs: z.number(),
  maxNs: z.number(),
  /** Percentiles are computed from it, also over several loops. Absent from older agents: there are none then. */
  distribution: z.array(z.tuple([z.number().min(0), zCount])).optional(),
});

/** How a loop ended and what it measured, the omitted start left out. */
export const zLoopResult = z.object({
  reason: z.enum(['iterations', 'duration', 'stopped', 'error']),
  drained: z.boolean(),
  /** On the run's clock. */
  startedAt: z.number(),
  elapsedNs: z.number(),
  bytes: zCount,
  messages: zCount,
  latencyKind: z.enum(['completion', 'round-trip', 'acknowledged', 'none']),
  latency: zLatency,
  /** `nicNs` is null if the device does not report it. */
  cpu: z.object({
    appNs: z.number(),
    nicNs: z.number().nullable(),
    kernelNs: z.number(),
    /** What the kernel charged to all of the process over the same time. Absent from older agents. */
    processNs: z.number().min(0).optional(),
    /** The process' CPU time since it began, at the end of that time. Absent from older agents. */
    processAtNs: z.number().min(0).optional(),
    /** Context switches of the loop’s thread. Absent from older agents. */
    switches: z.object({ voluntary: zCount, involuntary: zCount }).optional(),
    /**
     * What the kernel spent outside of every process (interrupts, soft interrupts, kernel threads) on the whole machine,
     * whichever process caused it. Only of devices in the kernel, which do their work there. `machine`: its boot id, so that two
     * endpoints on one machine are not counted twice.
     */
    outside: z.object({ ns: z.number().min(0), machine: z.string() }).optional(),
  }),
  counters: z.record(z.string(), z.number()),
  /** Over all of the loop: warm-up, measured time, and what was under way at the end. Absent from older agents. */
  whole: z
    .object({
      signaled: zCount.nullable(),
      completions: zCount.nullable(),
      sentBytes: zCount.nullable(),
      receivedBytes: zCount.nullable(),
    })
    .optional(),
  recordsWritten: zCount,
  recordsDropped: zCount,
  error: zErrorInfo.optional(),
});
export type EndpointLoopResult = z.infer<typeof zLoopResult>;

export const zFaultRule = z.object({
  action: z.enum(['drop', 'duplicate', 'reorder', 'delay', 'corrupt']),
  qpn: zU24.optional(),
  psn: zU24.optional(),
  opcode: z.int().min(0).max(255).optional(),
  opcodeMask: z.int().min(0).max(255).optional(),
  iter: z.int().min(1).optional(),
  times: zCount.optional(),
  delayUs: zCount.optional(),
});

export const zFaultRates = z.object({
  drop: z.number().min(0).max(1).optional(),
  duplicate: z.number().min(0).max(1).optional(),
  reorder: z.number().min(0).max(1).optional(),
  delay: z.number().min(0).max(1).optional(),
  corrupt: z.number().min(0).max(1).optional(),
  delayUs: zCount.optional(),
  seed: zHex64.optional(),
});

/** One captured packet, as far as a lab's checks need it. */
export const zPacketSummary = z.object({
  direction: z.enum(['sent', 'received']),
  /** BTH opcode, e.g. 0x06. */
  opcode: z.int().min(0).max(255),
  destQpn: zU24,
  psn: zU24,
  ackReq: z.boolean(),
  /** Bytes between the headers and the pad. */
  payload: zCount,
  /** AETH syndrome, where there is one. */
  syndrome: z.int().min(0).max(255).optional(),
  /** The ICRC matches one recomputed from the captured bytes. */
  icrcOk: z.boolean(),
});
export type PacketSummary = z.infer<typeof zPacketSummary>;

/** What a tap caught: all figures since `tap.start`, the list since the last answer. */
export const zTapReport = z.object({
  packets: zCount,
  dropped: zCount,
  /** Captured packets by BTH opcode (decimal). */
  opcodes: z.record(z.string(), zCount),
  /** Packets whose ICRC is not the computed one; packets that cannot be read as RoCEv2. */
  badIcrc: zCount,
  malformed: zCount,
  /** Packets that were not kept whole, so that their ICRC cannot be checked. */
  cut: zCount.optional(),
  /**
   * Packets of the interface that belong to no connection of this endpoint: they are in the stream and in no other
   * figure. Absent if the device reports its own packets.
   */
  others: zCount.optional(),
  /** At most TAP_LIST packets, the oldest first. */
  list: z.array(zPacketSummary),
});
export type TapReport = z.infer<typeof zTapReport>;
export const TAP_LIST = 4096;

/** Arguments and result of every command. */
export const ENDPOINT_OPS = {
  /** First command; its verbs calls are reported with those of the next one. `clock` is the agent's CLOCK_MONOTONIC (ns, decimal) at which the run's clock reads 0. */
  open: op(
    z.object({ device: z.string(), clock: z.string().regex(/^\d{1,20}$/), port: zCount.optional() }),
    z.object({ device: zDeviceInfo, pid: zCount, port: zCount }),
  ),
  /** Queries device, port and GID again; each call is reported. */
  query: op(
    none,
    z.object({ device: zDeviceInfo, port: zCount, gidIndex: zCount, gid: zGid, mtu: zSeenMtu }),
  ),
  /** `cm`: on the device as this id of the connection manager has it; QPs of ids need PDs and CQs from there. */
  allocPd: op(z.object({ cm: handle.optional() }), z.object({ pd: handle })),
  regMr: op(
    z.object({
      pd: handle,
      length: z.int().min(1).max(0x1_0000_0000),
      access: zAccess,
      hugePages: z.boolean().optional(),
    }),
    z.object({ mr: handle, addr: zHex64, length: zCount, lkey: zU32, rkey: zU32 }),
  ),
  createCq: op(
    z.object({
      depth: z
        .int()
        .min(1)
        .max(1 << 24),
      events: z.boolean().optional(),
      /** As for `allocPd`. */
      cm: handle.optional(),
    }),
    z.object({ cq: handle, depth: zCount }),
  ),
  createQp: op(
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
      /** `auto`: shared memory, where the other end takes it. Needs the capability `link`; `udp` where it is left out. */
      link: z.enum(['udp', 'auto']).optional(),
    }),
    z.object({ qp: handle, info: zQpInfo }),
  ),
  modifyQp: op(z.object({ qp: handle, attrs: zQpAttributes }), z.object({ state: zSeenQpState })),
  /** RESET to RTS, each transition reported as its own `verb` and `qp` event. */
  connectQp: op(
    z.object({
      qp: handle,
      remote: zQpInfo.pick({ qpn: true, psn: true, gid: true, lid: true, mtu: true }),
      options: zConnectOptions.optional(),
    }),
    z.object({ state: zSeenQpState }),
  ),
  /** What a connected queue pair sends through, once the other process has answered. Needs the capability `link`. */
  qpLink: op(z.object({ qp: handle }), z.object({ link: zLink })),
  queryQp: op(
    z.object({ qp: handle }),
    z.object({ state: zSeenQpState, attrs: z.record(z.string(), z.json()) }),
  ),
  postSend: op(z.object({ qp: handle, wr: zSendWr }), none),
  postRecv: op(z.object({ qp: handle, wr: zRecvWr }), none),
  pollCq: op(
    z.object({ cq: handle, max: z.int().min(1).max(4096).optional() }),
    z.object({ completions: z.array(zWc) }),
  ),
  /** Waits until `count` completions came or the time is over; fewer then. */
  waitCq: op(
    z.object({ cq: handle, count: z.int().min(1).max(4096), timeoutMs: z.number().min(0).max(60_000) }),
    z.object({ completions: z.array(zWc) }),
  ),
  readMemory: op(
    z.object({ mr: handle, offset: zCount, length: z.int().min(0).max(MEMORY_PIECE_BYTES) }),
    z.object({ base64: z.string() }),
  ),
  writeMemory: op(
    z.object({ mr: handle, offset: zCount, base64: z.string().max(Math.ceil(MEMORY_PIECE_BYTES / 3) * 4) }),
    none,
  ),
  /** Fills memory with a pattern that depends on seed and position alone, so that two ends can compare. */
  fillMemory: op(z.object({ mr: handle, offset: zCount, length: zCount, seed: zU32 }), none),
  /**
   * Replaces the pages of a region's memory by zeroed ones at the same address, as `munmap` and `mmap` do, while it stays
   * registered.
   */
  replacePages: op(z.object({ mr: handle }), none),
  hashMemory: op(z.object({ mr: handle, offset: zCount, length: zCount }), z.object({ sha256: z.string() })),
  destroy: op(z.object({ what: z.enum(['qp', 'cq', 'mr', 'pd', 'srq', 'ah', 'mw', 'cm']), handle }), none),
  /** Returns when the loop is ready: RECVs posted or port bound, so that the peer may start. */
  'loop.start': op(zLoopOptions, z.object({ loop: handle, port: zCount })),
  'loop.wait': op(z.object({ loop: handle }), zLoopResult),
  /** How far the loop is; answers after `waitMs`, or earlier when the loop ends before. */
  'loop.status': op(
    z.object({ loop: handle, waitMs: z.number().min(0).max(60_000) }),
    z.object({ running: z.boolean(), elapsedNs: z.number(), bytes: zCount, messages: zCount }),
  ),
  'loop.stop': op(z.object({ loop: handle }), none),
  /**
   * Packets of this endpoint, both directions, are streamed as frames under `source` until `tap.stop`. A kernel device
   * has no tap of its own: then all RoCEv2 packets of its network interface are, and the answer names that. There
   * `maxBytes` sizes the ring in which packets wait, `maxPackets` says nothing, and what comes to a full ring is lost.
   */
  'tap.start': op(
    z.object({
      source: zU32,
      maxPackets: z
        .int()
        .min(1)
        .max(1 << 20)
        .optional(),
      maxBytes: z
        .int()
        .min(4096)
        .max(1 << 30)
        .optional(),
      snapLength: zCount.optional(),
      mode: z.enum(['ring', 'keep']).optional(),
    }),
    z.object({ interface: z.string().optional() }),
  ),
  /** Sends on what the tap has caught up to now. */
  'tap.flush': op(none, zTapReport),
  'tap.stop': op(none, zTapReport),
  /** Stamped requests are reported as `wr` events by `stamps.flush` and `stamps.stop`. */
  'stamps.start': op(z.object({ maxRecords: zCount.optional(), every: zCount.optional() }), none),
  'stamps.flush': op(none, z.object({ records: zCount, dropped: zCount })),
  'stamps.stop': op(none, z.object({ records: zCount, dropped: zCount })),
  faults: op(
    z.object({ rates: zFaultRates.optional(), rules: z.array(zFaultRule).max(256).optional() }),
    none,
  ),
  'faults.query': op(
    none,
    z.object({
      seed: zHex64,
      packets: zCount,
      dropped: zCount,
      duplicated: zCount,
      reordered: zCount,
      delayed: zCount,
      corrupted: zCount,
    }),
  ),
  /** Also reported as a `counter` event. */
  counters: op(
    z.object({ when: z.enum(['before', 'after', 'sample']) }),
    z.object({ values: z.record(z.string(), z.number()) }),
  ),
  /** Also reported as a `cpu` event. */
  cpu: op(
    none,
    z.object({
      processUserNs: z.number(),
      processSystemNs: z.number(),
      nicUserNs: z.number().nullable(),
      nicKernelNs: z.number().nullable(),
    }),
  ),
  ...VERBS_OPS,
  ...CM_OPS,
  ...COST_OPS,
  ...FACTS_OPS,
  ...TIMED_OPS,
  ...MEMORY_COST_OPS,
  pinned: op(
    none,
    z.object({
      pinnedBytes: zCount,
      unpinnedBytes: zCount,
      regions: zCount,
      memlockLimit: zCount.nullable(),
    }),
  ),
  /** Destroys everything in order and ends the endpoint. */
  close: op(none, none),
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
