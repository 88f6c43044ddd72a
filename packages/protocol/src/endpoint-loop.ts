import { z } from 'zod';
import { op } from './endpoint-op.js';
import { handle, zRemoteMemory } from './endpoint-work.js';
import { zErrorInfo } from './errors.js';
import {
  LOOP_COMMON,
  LOOP_RECORDS,
  LOOP_THREADS,
  loopSchemas,
  RDMA_LOOP,
  TCP_LOOP,
  UDP_LOOP,
} from './loop-options.js';
import { zCount, zU32 } from './verbs.js';

const { kernelTime: _kernel, reportMs: _pace, ...shared } = LOOP_COMMON;
const { socketBuffer: _buffer, noDelay: _delay, ...tcp } = TCP_LOOP;

const loopCommon = {
  /** Under which `source` number series, histograms and completions are reported. */
  source: zU32,
  ...loopSchemas(shared),
  // An agent may ask less of an endpoint of another one than a program may of a loop.
  size: z.int().min(1).max(0x4000_0000),
  durationMs: z.number().min(1).max(86_400_000).optional(),
  omitMs: z.number().min(0).max(60_000).optional(),
  messagesPerSecond: z.number().min(1).max(LOOP_COMMON.messagesPerSecond.max).optional(),
  /** Stream completion records: all of them, unless the reader lags (counted), or `wait` for it. */
  records: z.enum(['none', ...LOOP_RECORDS.whenFull.of]).optional(),
  /** False: no series and no histograms. */
  report: z.boolean().optional(),
};

export const zLoopOptions = z.discriminatedUnion('transport', [
  z.object({
    transport: z.literal('rdma'),
    ...loopCommon,
    ...loopSchemas(RDMA_LOOP),
    qps: z.array(handle).min(1).max(64),
    mr: handle,
    remote: zRemoteMemory.extend({ length: zCount }).optional(),
    /**
     * Several threads post and poll, each with `txDepth` requests under way: `qps` names one for each, or one that they share under
     * `lock`. For bandwidth initiators that poll.
     */
    threads: z.object(loopSchemas(LOOP_THREADS)).optional(),
  }),
  z.object({
    transport: z.literal('tcp'),
    ...loopCommon,
    ...loopSchemas(tcp),
    connections: z.int().min(1).max(64).optional(),
    memory: z.int().min(1).max(TCP_LOOP.memory.max).optional(),
  }),
  z.object({ transport: z.literal('udp'), ...loopCommon, ...loopSchemas(UDP_LOOP) }),
]);

const zLatency = z.object({
  count: zCount,
  minNs: z.number(),
  meanNs: z.number(),
  maxNs: z.number(),
  /** Percentiles are computed from it, also over several loops. Absent from older agents: there are none then. */
  distribution: z.array(z.tuple([z.number().min(0), zCount])).optional(),
});

/** What threads of a loop did together, from the first request to the end of the last thread. Times are of the clock, not of the CPU. */
const zLoopThreads = z.object({
  elapsedNs: zCount,
  /** CPUs that the threads may run on; 0 where that is not known. */
  cpus: zCount,
  /** Messages that completed, one number for each thread. */
  messages: z.array(zCount),
  posts: zCount,
  /** In ibv_post_send, with the lock held. */
  postNs: zCount,
  polls: zCount,
  /** In ibv_poll_cq and in counting what it found, with the lock held. */
  pollNs: zCount,
  /** Times that another thread had the lock, and the wait for it. */
  contended: zCount,
  waitNs: zCount,
  /** Completions that another thread than the one that posted the request has polled. */
  foreign: zCount,
});
export type LoopThreads = z.infer<typeof zLoopThreads>;

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
     * for any of its processes. Reported for kernel devices only, which do their work there. `machine`: its boot id, so that two
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
      /** The most work requests of one QP that were posted and not yet completed. Absent from older agents. */
      mostOutstanding: zCount.nullable().optional(),
      sentBytes: zCount.nullable(),
      receivedBytes: zCount.nullable(),
      /** Null without `threads`. Absent from older agents. */
      threads: zLoopThreads.nullable().optional(),
    })
    .optional(),
  recordsWritten: zCount,
  recordsDropped: zCount,
  error: zErrorInfo.optional(),
});
export type EndpointLoopResult = z.infer<typeof zLoopResult>;

/** Measuring loops: native threads that move data until a count or a time is reached. */
export const LOOP_OPS = {
  /** Returns when the loop is ready: RECVs posted or port bound, so that the peer may start. */
  'loop.start': op(
    () => zLoopOptions,
    () => z.object({ loop: handle, port: zCount }),
  ),
  'loop.wait': op(
    () => z.object({ loop: handle }),
    () => zLoopResult,
  ),
  /** How far the loop is; answers after `waitMs`, or earlier when the loop ends before. */
  'loop.status': op(
    () => z.object({ loop: handle, waitMs: z.number().min(0).max(60_000) }),
    () => z.object({ running: z.boolean(), elapsedNs: z.number(), bytes: zCount, messages: zCount }),
  ),
  'loop.stop': op(
    () => z.object({ loop: handle }),
    () => z.object({}),
  ),
} as const;
