/** Measuring loops, each on its own thread. */
import type { LoopThreads } from '@verbslab/protocol';
import type { NativeMr } from './device.js';
import type { NativeQp } from './qp.js';

/** Options by their names in the tables of `@verbslab/protocol` (`loop-options.ts`). Choices are numbers. */
export interface NativeLoopOptions {
  [name: string]: number | boolean | string | bigint | NativeQp[] | NativeMr | Uint32Array | null;
  /** Ring for completion records over a SharedArrayBuffer (`completion-ring.ts`), or null. */
  ring: Uint32Array | null;
}

/**
 * Summary of a latency histogram, ns. All 0 if `count` is 0. Percentiles: `LatencyHistogram` of `@verbslab/protocol`.
 */
export interface LatencySummary {
  /** Number of values. */
  count: number;
  /** Smallest value. */
  minNs: number;
  /** Arithmetic mean. */
  meanNs: number;
  /** Largest value. */
  maxNs: number;
}

/** CPU time during an interval, ns. */
export interface NativeCpu {
  /** User time of the loop's own thread. */
  threadUserNs: number;
  /** System time of the same thread. */
  threadSystemNs: number;
  /** User time of the whole process. */
  processUserNs: number;
  /** System time of the whole process. */
  processSystemNs: number;
  /**
   * CPU time of the process from its start to the end of the interval. It shows which part overlapping intervals share.
   */
  processAtNs: number;
  /** CPU time of the device's engine; `null` if the device does not report it. */
  engine: { userNs: number; kernelNs: number; appThreadNs: number; threadNs: number } | null;
  /** Soft interrupts of the whole machine (/proc/stat, 10 ms ticks); `null` if unreadable. */
  softirqNs: number | null;
  /**
   * Kernel time outside of every process, on the whole machine: interrupts, soft interrupts, kernel threads. `null`
   * without the option `kernelTime`, and in the samples of a loop in progress.
   */
  outsideNs: number | null;
  /** Voluntary context switches of the loop's thread. */
  voluntarySwitches: number;
  /** Number of times that the scheduler preempted the thread. */
  involuntarySwitches: number;
  /**
   * Work of the loop's thread and the device's thread: `nic` is engine code outside system calls (hardware would do
   * it), `kernel` is system time, `app` the rest. The instrument's own threads are not included.
   */
  split: { appNs: number; nicNs: number; kernelNs: number };
}

/** The figures of an interval, or of a whole run without its omitted start. */
export interface NativeLoopFigures {
  /** Sequence number from 0, without gaps. */
  seq: number;
  /** CLOCK_MONOTONIC at the loop's start, on the clock of `process.hrtime.bigint()`. */
  startedAtNs: bigint;
  /** End of the interval, ns since the loop's start. */
  tNs: number;
  /** Length of the interval, ns. */
  intervalNs: number;
  /** True for an interval of the omitted start, which is not in the totals. */
  omitted: boolean;
  /** Completed payload, bytes. */
  bytes: number;
  /** Completed messages; round trips for ping-pongs. */
  messages: number;
  /** Outstanding work requests at the end of the interval; for TCP, messages without acknowledgment. */
  outstanding: number;
  /** Latencies of the interval. See `LoopResult.latencyKind`. */
  latency: LatencySummary;
  /** Latencies of the interval in HdrHistogram V2 encoding, not compressed (`compressHistogram` compresses it). */
  histogram: Uint8Array;
  /** Latencies from the end of the omitted start until now, in the same encoding. */
  histogramTotal: Uint8Array;
  cpu: NativeCpu;
  /** Growth of the device's counters; empty if there are none. */
  counters: Record<string, number>;
  /** Completion records written to the ring since the start. */
  recordsWritten: number;
  /** Completion records lost since the start because the reader lagged. */
  recordsDropped: number;
}

/** Callbacks of a loop. They run on the thread that made the loop, with at most one wake-up per batch. */
export interface NativeLoopCallbacks {
  /** Called after setup: RECVs are posted, or the port is bound. */
  ready(port: number): void;
  report(figures: NativeLoopFigures): void;
  /** Last call: the thread has ended. `error` comes from the error factory; null if there was none. */
  end(outcome: NativeLoopOutcome, error: Error | null): void;
}

export interface NativeLoopOutcome {
  /** Reason: 0 iterations, 1 duration, 2 stopped, 3 error. */
  reason: number;
  drained: boolean;
  startedAtNs: bigint;
  /** Kind: 0 completion, 1 round trip, 2 acknowledged, 3 none. */
  latencyKind: number;
  totals: NativeLoopFigures;
  whole: LoopWhole;
}

/**
 * Counts over a whole loop: warm-up, measured time, and outstanding work at the end. Null if the loop does not count
 * it.
 */
export interface LoopWhole {
  /** Work requests that requested a completion. */
  signaled: number | null;
  /** Successful completions of these requests. */
  completions: number | null;
  /** Most outstanding work requests of a QP at a time: posted, with the completion not yet polled. */
  mostOutstanding: number | null;
  /** Bytes written to TCP. */
  sentBytes: number | null;
  /** Bytes read from TCP. */
  receivedBytes: number | null;
  /** Figures of the threads that `threads` requested. */
  threads: LoopThreads | null;
}

/** A loop on its own thread. Construction starts it. */
export interface NativeLoop {
  /** Asks the loop to end. It posts nothing more. Outstanding work has `drainMs` to complete, then QPs go to ERR. */
  stop(drainMs: number): void;
  readonly running: boolean;
}
