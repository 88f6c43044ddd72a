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

/** Options of loops over any transport. */
export interface LoopCommon extends LoopValues<typeof LOOP_COMMON> {
  /** Called for every report, on the thread that started the loop. */
  onReport?: (report: LoopReport) => void;
  /** Keeps a record of each completion: see {@link CompletionRing}. */
  records?: LoopValues<typeof LOOP_RECORDS>;
}

/** Options of a loop over verbs. The loop has exclusive use of its QPs and CQs while it runs. */
export interface RdmaLoopOptions extends LoopCommon, LoopValues<typeof RDMA_LOOP> {
  /** Connected QPs (RTS), all of one context. */
  qps: readonly Qp[];
  /** Local memory, divided among the QPs. Latency loops with `write` and `send` need room for two messages per QP. */
  mr: Mr;
  /**
   * The peer's memory, with the same layout (initiators of write, write-imm, read, atomics; both sides of a write
   * latency loop).
   */
  remote?: RemoteMemory & { length: number };
  /**
   * Threads that post and poll, each with `txDepth` outstanding requests. Pass one QP per thread, or one QP for all.
   * For bandwidth initiators that poll, without `records` and `messagesPerSecond`. Default: the loop's own thread.
   */
  threads?: LoopThreadOptions;
}

export type LoopThreadOptions = LoopValues<typeof LOOP_THREADS>;

/** A loop over TCP sockets. */
export interface TcpLoopOptions extends LoopCommon, LoopValues<typeof TCP_LOOP> {}

/** A UDP ping-pong on an unconnected socket, the only measurement of UDP. */
export interface UdpLoopOptions extends LoopCommon, LoopValues<typeof UDP_LOOP> {
  measure: 'latency';
}

/** CPU time during an interval, ns. */
export interface CpuSample extends NativeCpu {
  /** The split as CPU seconds per 10^9 bytes of goodput; `null` if nothing was transferred. */
  secondsPerGB: { app: number; nic: number; kernel: number } | null;
}

interface Rates {
  /** Payload, 10^9 bits per second. */
  goodputGbps: number;
  /** Messages per second. */
  messagesPerSecond: number;
  cpu: CpuSample;
}

/** The figures of one interval. */
export interface LoopReport extends Omit<NativeLoopFigures, 'cpu' | 'recordsWritten'>, Rates {}

/** The end of a loop and its measurements, without the omitted start. */
export interface LoopResult
  extends
    Rates,
    Pick<
      NativeLoopFigures,
      'bytes' | 'messages' | 'latency' | 'histogram' | 'counters' | 'recordsWritten' | 'recordsDropped'
    >,
    Pick<NativeLoopOutcome, 'drained' | 'startedAtNs' | 'whole'> {
  /** Reason for the end. */
  reason: 'iterations' | 'duration' | 'stopped' | 'error';
  /** Measured time, ns. */
  elapsedNs: number;
  /**
   * Kind of latency. `completion`: from post to the poll that sees the CQE. `round-trip`: a whole ping-pong.
   * `acknowledged`: from write to the acknowledgment of the peer's TCP. `none`: this side times nothing.
   */
  latencyKind: 'completion' | 'round-trip' | 'acknowledged' | 'none';
}

/** Report of a loop after setup: RECVs are posted, or the port is bound. The peer may then start. */
export interface LoopReady {
  /** Local port of TCP and UDP; 0 for RDMA. */
  port: number;
}
