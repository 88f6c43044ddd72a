/** Measuring loops: their options and reports. */
import type { LoopThreads, LoopWhole } from '../native/loop.js';
import type { Mr } from '../objects/mr.js';
import type { Qp } from '../objects/qp.js';
import type { RemoteMemory } from '../objects/types/work.js';

export type { LoopThreads, LoopWhole };

/** Which side of a measurement. */
export type LoopRole = 'initiator' | 'target';

/** What a loop is for. */
export type LoopMeasure = 'bandwidth' | 'latency';

/** Operation that a loop measures. */
export type RdmaLoopOp = 'write' | 'write-imm' | 'read' | 'send' | 'fetch-add' | 'compare-swap';

/** What loops of all transports share. */
export interface LoopCommon {
  /** Initiators drive and measure; targets answer. */
  role: LoopRole;
  /** Many messages under way, or one at a time. */
  measure: LoopMeasure;
  /** Bytes of a message (TCP: of one write). Atomics: 8. */
  size: number;
  /** Messages to send over all QPs, after which the loop ends. Give this or {@link durationMs}; a target may have neither: it then runs until stopped. */
  iterations?: number;
  /** Measured time, the omitted start not included. */
  durationMs?: number;
  /** Leave the first milliseconds out of totals and histogram. Default 0. */
  omitMs?: number;
  /** Limit of an initiator's posting rate, messages per second. Default: none. */
  messagesPerSecond?: number;
  /** Spin, or sleep until woken. Default `poll`. */
  wait?: 'poll' | 'event';
  /** Time between reports. Default 100. */
  reportMs?: number;
  /** Give up with ETIMEDOUT when nothing moved for so long. Default 10,000; 0 waits for ever. */
  idleTimeoutMs?: number;
  /** Called for every report, on the thread that started the loop. */
  onReport?: (report: LoopReport) => void;
  /** Keep a record of each completion: see {@link CompletionRing}. */
  records?: CompletionRecordOptions;
  /** Report the kernel's CPU time outside of every process ({@link CpuSample.outsideNs}). Default false. */
  kernelTime?: boolean;
}

/** Which completions of a loop are kept one by one, and what happens when the reader lags. */
export interface CompletionRecordOptions {
  /** Records that the ring holds; rounded up to a power of two. Default 65,536 (2 MiB). */
  capacity?: number;
  /** When the reader lags: `drop` counts what is lost, `wait` makes the loop wait. Default `drop`. */
  whenFull?: 'drop' | 'wait';
}

/** A loop over verbs. The loop has exclusive use of its QPs and CQs while it runs. */
export interface RdmaLoopOptions extends LoopCommon {
  /** Connected QPs (RTS), all of one context. */
  qps: readonly Qp[];
  /** Operation to measure. */
  op: RdmaLoopOp;
  /** Local memory, shared out over the QPs. Latency loops with `write` and `send` need room for two messages a QP. */
  mr: Mr;
  /** Start of the part of `mr` that the loop may use. Default 0. */
  offset?: number;
  /** The peer's memory, laid out alike (initiators of write, write-imm, read, atomics; both sides of a write latency loop). */
  remote?: RemoteMemory & { length: number };
  /** Work requests under way a QP. Default 128 (READ and atomics: what the QP allows is kept by the device). */
  txDepth?: number;
  /** RECVs kept posted a QP at the target of send and write-imm. Default 512, at most what the QP holds. */
  rxDepth?: number;
  /** Work requests handed over with one `ibv_post_send`. Default 1. */
  postList?: number;
  /** Ask for a completion every so many work requests. Default 100 for bandwidth as perftest does, at most `txDepth`; 1 for latency. */
  cqMod?: number;
  /** Post the payload inline. The QP's `maxInlineData` must hold it. Default false. */
  inline?: boolean;
  /**
   * Messages take turns through all of the memory. Default false: in the cache, as perftest does; those of a page and
   * more then use one place, smaller ones the first page.
   */
  walk?: boolean;
  /**
   * Several threads post and poll, each with `txDepth` requests under way: give one QP for each, or one QP that all share.
   * For bandwidth initiators that poll, without `records` and `messagesPerSecond`. Default: the loop's own thread.
   */
  threads?: LoopThreadOptions;
}

/** Threads of a loop, and what they hold while they post and poll. */
export interface LoopThreadOptions {
  /** Threads, at most 64. */
  count: number;
  /** Threads that share a QP or a CQ need one: `mutex`, whose waiters sleep, or `spin`, whose waiters spin. */
  lock: 'none' | 'mutex' | 'spin';
}

/** A loop over TCP sockets. */
export interface TcpLoopOptions extends LoopCommon {
  /** Initiator: where to connect. Target: where to listen. Default 127.0.0.1. */
  host?: string;
  /** Target: 0 picks a free port ({@link LoopReady.port}). */
  port: number;
  /** Which way the bytes of a bandwidth loop go, seen from the initiator. Both sides need the same value. Default `out`. */
  direction?: 'out' | 'in' | 'both';
  /** Streams. Default 1. */
  connections?: number;
  /** SO_SNDBUF and SO_RCVBUF; 0 or absent leaves the kernel's own tuning. */
  socketBuffer?: number;
  /** TCP_NODELAY. Default true for latency, false for bandwidth. */
  noDelay?: boolean;
  /** Ask every so many messages what the peer's TCP has acknowledged, for a latency that compares with a completion's. Default 1; 0: never. */
  ackEvery?: number;
  /** Bytes of memory that a stream walks through, message by message, on this side. Default: one message. */
  memory?: number;
}

/** A UDP ping-pong on an unconnected socket. */
export interface UdpLoopOptions extends LoopCommon {
  /** UDP is measured by ping-pong only. */
  measure: 'latency';
  /** Initiator: where to send. Target: where to listen. Default 127.0.0.1. */
  host?: string;
  /** Target: 0 picks a free port. */
  port: number;
  /** Use connect(2) on the initiator's socket. Default false: as a RoCE port must. */
  connected?: boolean;
}

/** A latency histogram in short, nanoseconds. All 0 when `count` is. Percentiles: `LatencyHistogram` of `@verbslab/protocol`. */
export interface LatencySummary {
  /** Values recorded. */
  count: number;
  /** Smallest. */
  minNs: number;
  /** Arithmetic mean. */
  meanNs: number;
  /** Largest. */
  maxNs: number;
}

/** CPU time during an interval, nanoseconds. */
export interface CpuSample {
  /** The loop's own thread. */
  threadUserNs: number;
  /** The same thread, in the kernel. */
  threadSystemNs: number;
  /** The whole process. */
  processUserNs: number;
  /** The whole process, in the kernel. */
  processSystemNs: number;
  /** The whole process since it began, until the end of this time: tells what stretches that overlap have in common. */
  processAtNs: number;
  /** Engine of the device; `null` if the device does not report it. */
  engine: { userNs: number; kernelNs: number; appThreadNs: number; threadNs: number } | null;
  /** Soft interrupts of the whole machine (/proc/stat, 10 ms ticks); `null` where unreadable. */
  softirqNs: number | null;
  /**
   * What the kernel spent outside of every process, on the whole machine: interrupts, soft interrupts, kernel threads.
   * `null` unless {@link LoopCommon.kernelTime} asked for it, and in the samples of a loop in progress.
   */
  outsideNs: number | null;
  /** Context switches of the loop's thread. */
  voluntarySwitches: number;
  /** Times that the scheduler took the CPU away from it. */
  involuntarySwitches: number;
  /**
   * Work of the loop's thread and the device's thread: `nic` is engine code outside system calls (what hardware
   * would take over), `kernel` is system time, `app` the rest. The instrument's own threads are not in it.
   */
  split: CpuSplit;
  /** The split as CPU seconds per 10^9 bytes of goodput; `null` when nothing moved. */
  secondsPerGB: { app: number; nic: number; kernel: number } | null;
}

/** CPU time by kind of work. */
export interface CpuSplit {
  /** The application's own. */
  appNs: number;
  /** The device's, outside system calls. */
  nicNs: number;
  /** In the kernel. */
  kernelNs: number;
}

/** What happened in one interval. */
export interface LoopReport {
  /** From 0, without gaps. */
  seq: number;
  /** CLOCK_MONOTONIC at the loop's start, as `process.hrtime.bigint()` counts. */
  startedAtNs: bigint;
  /** End of the interval, ns since the loop's start. */
  tNs: number;
  /** Length of the interval. */
  intervalNs: number;
  /** In the omitted start: not in the totals. */
  omitted: boolean;
  /** Payload that completed. */
  bytes: number;
  /** Messages that completed; round trips for ping-pongs. */
  messages: number;
  /** Payload, 10^9 bits per second. */
  goodputGbps: number;
  /** Messages over the interval. */
  messagesPerSecond: number;
  /** Work requests (TCP: messages not yet acknowledged) under way at the end of the interval. */
  outstanding: number;
  /** Of this interval. See {@link LoopResult.latencyKind}. */
  latency: LatencySummary;
  /** Of this interval: HdrHistogram V2 encoding, not compressed (`compressHistogram` makes the compressed form). */
  histogram: Uint8Array;
  /** Of everything so far but the omitted start, in the same encoding. */
  histogramTotal: Uint8Array;
  /** CPU time during the interval. */
  cpu: CpuSample;
  /** What the device's counters grew by; empty where there are none. */
  counters: Record<string, number>;
  /** Completion records lost since the start because the reader lagged. */
  recordsDropped: number;
}

/** How a loop ended and what it measured, the omitted start left out. */
export interface LoopResult {
  /** Why it ended. */
  reason: 'iterations' | 'duration' | 'stopped' | 'error';
  /** Nothing was left in the queues at the end. */
  drained: boolean;
  /** CLOCK_MONOTONIC at the start, as `process.hrtime.bigint()` counts. */
  startedAtNs: bigint;
  /** Measured time. */
  elapsedNs: number;
  /** Payload that completed. */
  bytes: number;
  /** Messages that completed; round trips for ping-pongs. */
  messages: number;
  /** Payload, 10^9 bits per second. */
  goodputGbps: number;
  /** Messages over the measured time. */
  messagesPerSecond: number;
  /**
   * `completion`: from post to its CQE seen by the poll. `round-trip`: a whole ping-pong. `acknowledged`: from write
   * to the peer TCP's acknowledgement. `none`: nothing is timed on this side.
   */
  latencyKind: 'completion' | 'round-trip' | 'acknowledged' | 'none';
  /** Figures of the histogram. */
  latency: LatencySummary;
  /** HdrHistogram V2 encoding, not compressed. */
  histogram: Uint8Array;
  /** CPU time during the measured time. */
  cpu: CpuSample;
  /** What the device's counters grew by. */
  counters: Record<string, number>;
  /** Counts over the warm-up, the measured time and what was under way at the end. */
  whole: LoopWhole;
  /** Completion records that went into the ring. */
  recordsWritten: number;
  /** Completion records lost because the reader lagged. */
  recordsDropped: number;
}

/** What a loop reports once it is set up: RECVs posted, or port bound. The peer may then start. */
export interface LoopReady {
  /** TCP and UDP: the local port. RDMA: 0. */
  port: number;
}
