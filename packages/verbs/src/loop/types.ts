/** Measuring loops: their options and reports. */
import type {
  LOOP_COMMON,
  LOOP_RECORDS,
  LOOP_THREADS,
  LoopValues,
  RDMA_LOOP,
  TCP_LOOP,
  UDP_LOOP,
} from '@verbslab/protocol';
import type { NativeCpu, NativeLoopFigures, NativeLoopOutcome } from '../native/loop.js';
import type { Mr } from '../objects/mr.js';
import type { Qp } from '../objects/qp.js';
import type { RemoteMemory } from '../objects/types/work.js';

export type { LatencySummary, LoopWhole } from '../native/loop.js';

/** Options that loops of all transports share. */
export interface LoopCommon extends LoopValues<typeof LOOP_COMMON> {
  /** Called for every report, on the thread that started the loop. */
  onReport?: (report: LoopReport) => void;
  /** Keep a record of each completion: see {@link CompletionRing}. */
  records?: LoopValues<typeof LOOP_RECORDS>;
}

/** A loop over verbs. The loop has exclusive use of its QPs and CQs while it runs. */
export interface RdmaLoopOptions extends LoopCommon, LoopValues<typeof RDMA_LOOP> {
  /** Connected QPs (RTS), all of one context. */
  qps: readonly Qp[];
  /** Local memory, shared out over the QPs. Latency loops with `write` and `send` need room for two messages a QP. */
  mr: Mr;
  /** The peer's memory, laid out alike (initiators of write, write-imm, read, atomics; both sides of a write latency loop). */
  remote?: RemoteMemory & { length: number };
  /**
   * Several threads post and poll, each with `txDepth` requests under way: give one QP for each, or one QP that all share.
   * For bandwidth initiators that poll, without `records` and `messagesPerSecond`. Default: the loop's own thread.
   */
  threads?: LoopThreadOptions;
}

export type LoopThreadOptions = LoopValues<typeof LOOP_THREADS>;

/** A loop over TCP sockets. */
export interface TcpLoopOptions extends LoopCommon, LoopValues<typeof TCP_LOOP> {}

/** A UDP ping-pong on an unconnected socket. UDP is measured by ping-pong only. */
export interface UdpLoopOptions extends LoopCommon, LoopValues<typeof UDP_LOOP> {
  measure: 'latency';
}

/** CPU time during an interval, nanoseconds. */
export interface CpuSample extends NativeCpu {
  /** The split as CPU seconds per 10^9 bytes of goodput; `null` when nothing moved. */
  secondsPerGB: { app: number; nic: number; kernel: number } | null;
}

interface Rates {
  /** Payload, 10^9 bits per second. */
  goodputGbps: number;
  /** Messages over the time. */
  messagesPerSecond: number;
  cpu: CpuSample;
}

/** The figures of one interval. */
export interface LoopReport extends Omit<NativeLoopFigures, 'cpu' | 'recordsWritten'>, Rates {}

/** How a loop ended and what it measured, the omitted start left out. */
export interface LoopResult
  extends
    Rates,
    Pick<
      NativeLoopFigures,
      'bytes' | 'messages' | 'latency' | 'histogram' | 'counters' | 'recordsWritten' | 'recordsDropped'
    >,
    Pick<NativeLoopOutcome, 'drained' | 'startedAtNs' | 'whole'> {
  /** Why it ended. */
  reason: 'iterations' | 'duration' | 'stopped' | 'error';
  /** Measured time. */
  elapsedNs: number;
  /**
   * `completion`: from post to its CQE seen by the poll. `round-trip`: a whole ping-pong. `acknowledged`: from write
   * to the peer TCP's acknowledgement. `none`: nothing is timed on this side.
   */
  latencyKind: 'completion' | 'round-trip' | 'acknowledged' | 'none';
}

/** Reported once a loop is set up: RECVs posted, or port bound. The peer may then start. */
export interface LoopReady {
  /** TCP and UDP: the local port. RDMA: 0. */
  port: number;
}
