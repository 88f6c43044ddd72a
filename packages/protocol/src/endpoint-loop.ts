import { z } from 'zod';
import { op } from './endpoint-op.js';
import { handle, zRemoteMemory } from './endpoint-work.js';
import { zErrorInfo } from './error-schema.js';
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
  /** Number of the `source` that reports series, histograms and completions. */
  source: zU32,
  ...loopSchemas(shared),
  // An agent may request less of another agent's endpoint than a program may of a loop.
  size: z.int().min(1).max(0x4000_0000),
  durationMs: z.number().min(1).max(86_400_000).optional(),
  omitMs: z.number().min(0).max(60_000).optional(),
  messagesPerSecond: z.number().min(1).max(LOOP_COMMON.messagesPerSecond.max).optional(),
  /** Streams completion records: all of them, unless the reader lags (counted), or `wait` for the reader. */
  records: z.enum(['none', ...LOOP_RECORDS.whenFull.of]).optional(),
  /** False: reports no series and no histograms. */
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
     * Threads that post and poll, each with `txDepth` outstanding requests. `qps` names one per thread, or one that
     * they share under `lock`. For bandwidth initiators that poll.
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
  /**
   * Latency distribution, from which percentiles are computed, also over several loops. Absent from older agents: no
   * percentiles then.
   */
  distribution: z.array(z.tuple([z.number().min(0), zCount])).optional(),
});

/**
 * Work of a loop's threads together, from the first request to the end of the last thread. Times are elapsed time, not
 * CPU time.
 */
const zLoopThreads = z.object({
  elapsedNs: zCount,
  /** CPUs that the threads may run on; 0 if unknown. */
  cpus: zCount,
  /** Completed messages of each thread. */
  messages: z.array(zCount),
  posts: zCount,
  /** Time in ibv_post_send, with the lock held. */
  postNs: zCount,
  polls: zCount,
  /** Time in ibv_poll_cq and in counting its results, with the lock held. */
  pollNs: zCount,
  /** Number of times that another thread had the lock, and the wait for it. */
  contended: zCount,
  waitNs: zCount,
  /** Completions that another thread polled than the one that posted the request. */
  foreign: zCount,
});
export type LoopThreads = z.infer<typeof zLoopThreads>;

/** The end of a loop and its measurements, without the omitted start. */
export const zLoopResult = z.object({
  reason: z.enum(['iterations', 'duration', 'stopped', 'error']),
  drained: z.boolean(),
  /** Start on the run's clock, ns. */
  startedAt: z.number(),
  elapsedNs: z.number(),
  bytes: zCount,
  messages: zCount,
  latencyKind: z.enum(['completion', 'round-trip', 'acknowledged', 'none']),
  latency: zLatency,
  /** CPU times. `nicNs` is null if the device does not report it. */
  cpu: z.object({
    appNs: z.number(),
    nicNs: z.number().nullable(),
    kernelNs: z.number(),
    /** CPU time that the kernel charged to the whole process over the same time. Absent from older agents. */
    processNs: z.number().min(0).optional(),
    /** CPU time of the process from its start to the end of that time. Absent from older agents. */
    processAtNs: z.number().min(0).optional(),
    /** Context switches of the loop’s thread. Absent from older agents. */
    switches: z.object({ voluntary: zCount, involuntary: zCount }).optional(),
    /**
     * Kernel time outside of every process (interrupts, soft interrupts, kernel threads) on the whole machine, for any
     * of its processes. Reported only for kernel devices, which do their work there. `machine`: its boot id, so that
     * two endpoints on a machine are not counted twice.
     */
    outside: z.object({ ns: z.number().min(0), machine: z.string() }).optional(),
  }),
  counters: z.record(z.string(), z.number()),
  /** Counts over the whole loop: warm-up, measured time, and outstanding work at the end. Absent from older agents. */
  whole: z
    .object({
      signaled: zCount.nullable(),
      completions: zCount.nullable(),
      /** Most work requests of a QP that were posted and not yet completed. Absent from older agents. */
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
  /** Starts a loop. Returns when it is ready: RECVs are posted or the port is bound, so the peer may start. */
  'loop.start': op(
    () => zLoopOptions,
    () => z.object({ loop: handle, port: zCount }),
  ),
  'loop.wait': op(
    () => z.object({ loop: handle }),
    () => zLoopResult,
  ),
  /** Returns the progress of the loop after `waitMs`, or earlier if the loop ends. */
  'loop.status': op(
    () => z.object({ loop: handle, waitMs: z.number().min(0).max(60_000) }),
    () => z.object({ running: z.boolean(), elapsedNs: z.number(), bytes: zCount, messages: zCount }),
  ),
  'loop.stop': op(
    () => z.object({ loop: handle }),
    () => z.object({}),
  ),
} as const;
