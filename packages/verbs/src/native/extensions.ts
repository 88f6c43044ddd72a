/** Extensions that only some devices have. */
import type { NativeCq } from './completions.js';
import type { NativeQp, NativeSrq } from './qp.js';

/** Entries of a queue that are in use. */
export interface QueueUse {
  /** SQ: of requests whose completion was not polled; RQ, SRQ: of receives left; CQ: of completions not polled. */
  used: number;
  size: number;
  /** SQ: requests that have not completed; else as `used`. */
  queued: number;
}

/** Policy of a QP and what its law allows, as `struct uroce_qp_policy_state`. 0: the law has no such figure now. */
export interface NativePolicyState {
  /** `enum uroce_recovery`. */
  recovery: number;
  /** Recovery in effect, which the peer decides too. */
  recoveryInEffect: number;
  /** `enum uroce_congestion`. */
  congestion: number;
  /** Bits per second from which DCQCN and TIMELY start. */
  lineRate: number;
  /** Bits per second; 0: not limited. */
  rate: number;
  /** DCQCN: rate to which it returns, bits per second. */
  target: number;
  /** DCQCN: parts per million. */
  alphaPpm: number;
  /** Payload that may be in flight, bytes. */
  window: number;
  /** Smoothed round-trip time, ns. */
  srttNs: number;
  /** CNPs that came to the QP since it was created. */
  cnps: number;
  /** Packets with ECN 3 that came to it. */
  marks: number;
}

/** CPU time of the device's engine in this process since the device was opened, ns. */
export interface EngineCpu {
  /** Time in engine code outside system calls, on any thread: a NIC would do this work in hardware. */
  engineUserNs: number;
  /** Time in the engine's own system calls. */
  engineKernelNs: number;
  /** Part of both that ran on threads of the application. */
  appThreadNs: number;
  /** CPU clock of the engine's own thread. */
  threadCpuNs: number;
  /** Calls into the engine that found work. */
  progressCalls: number;
  /** Calls that found nothing: the application's own spinning. */
  emptyPolls: number;
}

/** Statistics of the fault injector. */
export interface FaultReport {
  /** Seed of the random faults. */
  seed: bigint;
  /** Packets that the injector saw. */
  packets: number;
  /** Packets lost. */
  dropped: number;
  /** Packets sent twice. */
  duplicated: number;
  /** Packets swapped. */
  reordered: number;
  /** Packets delayed by a rate or a rule. */
  delayed: number;
  /** Packets with a bit flipped. */
  corrupted: number;
  /** Packets marked as congested. */
  marked: number;
}

/**
 * Times of a send work request, CLOCK_MONOTONIC ns; 0n if a step did not happen. Each time is at least the one before.
 */
export interface NativeStamp {
  /** Work request id as posted. */
  wrId: bigint;
  /** QP that the request was posted to. */
  qpn: number;
  opcode: number;
  /** Payload, bytes. */
  byteLength: number;
  status: number;
  /** Time at which `ibv_post_send` accepted the request. */
  postedNs: bigint;
  /** Time at which the first packet was passed to the socket. */
  firstTxNs: bigint;
  /** Time at which the last packet was passed to the socket for the last time. */
  lastTxNs: bigint;
  /** Time at which the socket delivered the acknowledging packet or the last response. */
  ackedNs: bigint;
  /** Time of the packet that caused the completion. */
  cqeNs: bigint;
  /** Time at which `ibv_poll_cq` returned the completion. */
  polledNs: bigint;
}

/** The extension calls (`uroce.h`) of a context. A call that the library lacks throws ENOSYS. */
export interface NativeExtensions {
  cpu(): EngineCpu;
  counters(): Record<string, number>;
  tapStart(maxPackets: number, maxBytes: number, snapLength: number, mode: number): void;
  /**
   * Complete records in the layout of `struct uroce_tap_record`, at most `maxBytes`, and the number of dropped packets
   * so far.
   */
  tapRead(maxBytes: number): { records: Uint8Array; dropped: number };
  tapStop(): void;
  pcapOpen(path: string): void;
  pcapClose(): void;
  setFaults(
    rates: {
      dropPpm: number;
      duplicatePpm: number;
      reorderPpm: number;
      delayPpm: number;
      corruptPpm: number;
      delayUs: number;
      seed: bigint;
    } | null,
    rules: {
      match: number;
      qpn: number;
      psn: number;
      iter: number;
      opcode: number;
      opcodeMask: number;
      action: number;
      times: number;
      delayUs: number;
    }[],
    shaping: { delayUs: number; jitterUs: number; rateBps: number; limit: number; markPpm: number } | null,
  ): void;
  queryFaults(): FaultReport;
  stampsStart(maxRecords: number, every: number): void;
  stampsRead(max: number): {
    stamps: NativeStamp[];
    dropped: number;
  };
  stampsStop(): void;
  pinned(): { pinnedBytes: number; unpinnedBytes: number; regions: number; memlockLimit: number };
  /** Sets the link of a QP (`enum uroce_link`). */
  setQpLink(qp: NativeQp, link: number): void;
  /** Link of a QP (`enum uroce_link`); -1 while it is unknown. */
  qpLink(qp: NativeQp): number;
  sendPacket(qp: NativeQp, packet: Uint8Array): void;
  qpQueues(qp: NativeQp): { send: QueueUse; recv: QueueUse };
  srqQueue(srq: NativeSrq): QueueUse;
  cqQueue(cq: NativeCq): QueueUse;
  /** `enum uroce_recovery`, `enum uroce_congestion`; bits per second, 0: the default. */
  setQpPolicy(
    qp: NativeQp,
    recovery: number,
    congestion: number,
    lineRate: number,
    ackEvery: number,
    ackDelayNs: number,
  ): void;
  qpPolicy(qp: NativeQp): NativePolicyState;
}
