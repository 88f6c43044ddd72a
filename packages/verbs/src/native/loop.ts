/** Measuring loops, each on a thread of its own. */
import type { LoopThreads } from '@verbslab/protocol';
import type { NativeMr } from './device.js';
import type { NativeQp } from './qp.js';

/** Options by their names in the tables of `@verbslab/protocol` (`loop-options.ts`), choices as numbers. */
export interface NativeLoopOptions {
  [name: string]: number | boolean | string | bigint | NativeQp[] | NativeMr | Uint32Array | null;
  /** Ring for completion records over a SharedArrayBuffer (`completion-ring.ts`), or null. */
  ring: Uint32Array | null;
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
export interface NativeCpu {
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
   * `null` unless the option `kernelTime` asked for it, and in the samples of a loop in progress.
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
  split: { appNs: number; nicNs: number; kernelNs: number };
}

/** The figures of an interval, or of a whole run without its omitted start. */
export interface NativeLoopFigures {
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
  /** Work requests (TCP: messages not yet acknowledged) under way at the end of the interval. */
  outstanding: number;
  /** Latencies in it. See `LoopResult.latencyKind`. */
  latency: LatencySummary;
  /** Latencies in it: HdrHistogram V2 encoding, not compressed (`compressHistogram` makes the compressed form). */
  histogram: Uint8Array;
  /** Those of everything so far but the omitted start, in the same encoding. */
  histogramTotal: Uint8Array;
  cpu: NativeCpu;
  /** Growth of the device's counters; empty where there are none. */
  counters: Record<string, number>;
  /** Completion records that went into the ring since the start. */
  recordsWritten: number;
  /** Completion records lost since the start because the reader lagged. */
  recordsDropped: number;
}

/** Callbacks of a loop. They come on the thread that made it, at most one wake-up a batch. */
export interface NativeLoopCallbacks {
  /** Set up: RECVs posted, or port bound. */
  ready(port: number): void;
  report(figures: NativeLoopFigures): void;
  /** Last call: the thread has ended. `error` is what the error factory made, null when there was none. */
  end(outcome: NativeLoopOutcome, error: Error | null): void;
}

export interface NativeLoopOutcome {
  /** 0 iterations, 1 duration, 2 stopped, 3 error. */
  reason: number;
  drained: boolean;
  startedAtNs: bigint;
  /** 0 completion, 1 round trip, 2 acknowledged, 3 none. */
  latencyKind: number;
  totals: NativeLoopFigures;
  whole: LoopWhole;
}

/** Counts over all of a loop: warm-up, measured time, and what was under way at the end. Null where it does not count. */
export interface LoopWhole {
  /** Work requests that asked for a completion. */
  signaled: number | null;
  /** Successful completions of them. */
  completions: number | null;
  /** The most work requests of one QP that were outstanding at a time: posted, and their completion not yet polled. */
  mostOutstanding: number | null;
  /** Written to TCP. */
  sentBytes: number | null;
  /** Read from TCP. */
  receivedBytes: number | null;
  /** The threads that `threads` asked for. */
  threads: LoopThreads | null;
}

/** A loop on a thread of its own. Constructing starts it. */
export interface NativeLoop {
  /** Asks it to end: nothing more is posted; what is under way gets `drainMs` to complete, then QPs go to ERR. */
  stop(drainMs: number): void;
  readonly running: boolean;
}
