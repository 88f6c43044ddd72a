/** Measuring loops, each on a thread of its own. */
import type { NativeMr } from './device.js';
import type { NativeQp } from './qp.js';

/** What the loops of all kinds take. Times in ns, 0 for "none". */
export interface NativeLoopOptions {
  target: boolean;
  latency: boolean;
  size: number;
  iterations: number;
  durationNs: number;
  omitNs: number;
  messagesPerSecond: number;
  event: boolean;
  reportNs: number;
  idleTimeoutNs: number;
  /** Ring for completion records over a SharedArrayBuffer (`completion-ring.ts`), or null. */
  ring: Uint32Array | null;
  ringWait: boolean;
  kernelTime: boolean;
}

export interface NativeRdmaLoopOptions extends NativeLoopOptions {
  qps: NativeQp[];
  /** 0 write, 1 write-imm, 2 read, 3 send, 4 fetch-add, 5 compare-swap. */
  op: number;
  mr: NativeMr;
  offset: number;
  remoteAddr: bigint;
  remoteLength: number;
  rkey: number;
  txDepth: number;
  rxDepth: number;
  postList: number;
  cqMod: number;
  inline: boolean;
  walk: boolean;
  /** 0: the loop's own thread. */
  threads: number;
  /** 0 none, 1 mutex, 2 spinlock. */
  lock: number;
}

export interface NativeTcpLoopOptions extends NativeLoopOptions {
  host: string;
  port: number;
  /** 0 out, 1 in, 2 both, seen from the initiator. */
  direction: number;
  connections: number;
  socketBuffer: number;
  noDelay: boolean;
  ackEvery: number;
  /** 0: one message. */
  memory: number;
}

export interface NativeUdpLoopOptions extends NativeLoopOptions {
  host: string;
  port: number;
  connected: boolean;
}

/** The figures of an interval or of a whole run. */
export interface NativeLoopFigures {
  seq: number;
  startedAtNs: bigint;
  tNs: number;
  intervalNs: number;
  omitted: boolean;
  bytes: number;
  messages: number;
  outstanding: number;
  latency: {
    count: number;
    minNs: number;
    meanNs: number;
    maxNs: number;
  };
  histogram: Uint8Array;
  histogramTotal: Uint8Array;
  cpu: {
    threadUserNs: number;
    threadSystemNs: number;
    processUserNs: number;
    processSystemNs: number;
    processAtNs: number;
    engine: { userNs: number; kernelNs: number; appThreadNs: number; threadNs: number } | null;
    softirqNs: number | null;
    outsideNs: number | null;
    voluntarySwitches: number;
    involuntarySwitches: number;
    split: { appNs: number; nicNs: number; kernelNs: number };
  };
  counters: Record<string, number>;
  recordsWritten: number;
  recordsDropped: number;
}

/** What a loop calls back with; the callbacks come on the thread that made it, at most one wake-up a batch. */
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

/** What several threads did together, from the first request to the end of the last thread. Times are of the clock, not of the CPU. */
export interface LoopThreads {
  /** Between the two. */
  elapsedNs: number;
  /** CPUs that the threads may run on; 0 where that is not known. */
  cpus: number;
  /** Messages that completed, one number for each thread. */
  messages: number[];
  /** Calls of `ibv_post_send`. */
  posts: number;
  /** Spent in them, with the lock held. */
  postNs: number;
  /** Calls of `ibv_poll_cq`. */
  polls: number;
  /** Spent in them and in counting what they found, with the lock held. */
  pollNs: number;
  /** Times that another thread had the lock. */
  contended: number;
  /** Spent waiting for it then. */
  waitNs: number;
  /** Completions that another thread than the one that posted the request has polled. */
  foreign: number;
}

/** A loop on a thread of its own. Constructing starts it. */
export interface NativeLoop {
  /** Asks it to end: nothing more is posted; what is under way gets `drainMs` to complete, then QPs go to ERR. */
  stop(drainMs: number): void;
  readonly running: boolean;
}
