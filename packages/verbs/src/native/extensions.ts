/** What only some devices can do. */
import type { NativeQp } from './qp.js';

/** CPU time of the device's engine in this process, since it was opened. Nanoseconds. */
export interface EngineCpu {
  /** In engine code, outside system calls, on whichever thread: what a NIC would do in hardware. */
  engineUserNs: number;
  /** In the engine's own system calls. */
  engineKernelNs: number;
  /** Share of both that ran on threads of the application. */
  appThreadNs: number;
  /** CPU clock of the engine's own thread. */
  threadCpuNs: number;
  /** Calls into the engine that found work. */
  progressCalls: number;
  /** Calls that found nothing: the application's own spinning. */
  emptyPolls: number;
}

/** What the fault injector did. */
export interface FaultReport {
  /** The seed that was used. */
  seed: bigint;
  /** Packets that it saw. */
  packets: number;
  /** Packets lost. */
  dropped: number;
  /** Packets sent twice. */
  duplicated: number;
  /** Packets swapped. */
  reordered: number;
  /** Packets held back by a rate or a rule. */
  delayed: number;
  /** Packets with a bit flipped. */
  corrupted: number;
  /** Packets marked as congested. */
  marked: number;
}

/**
 * The life of a send work request: CLOCK_MONOTONIC ns; 0n: did not happen. Each
 * time is at least the one before it.
 */
export interface NativeStamp {
  /** As posted. */
  wrId: bigint;
  /** QP that it was posted to. */
  qpn: number;
  opcode: number;
  /** Payload, bytes. */
  byteLength: number;
  status: number;
  /** `ibv_post_send` took it. */
  postedNs: bigint;
  /** Its first packet was handed to the socket. */
  firstTxNs: bigint;
  /** Its last packet was, for the last time. */
  lastTxNs: bigint;
  /** The packet that acknowledged it, or the last response, came from the socket. */
  ackedNs: bigint;
  /** Its completion was written: the time of the packet that caused it. */
  cqeNs: bigint;
  /** `ibv_poll_cq` returned it. */
  polledNs: bigint;
}

/** The extension calls (`uroce.h`) of a context. A call that the library lacks throws ENOSYS. */
export interface NativeExtensions {
  cpu(): EngineCpu;
  counters(): Record<string, number>;
  tapStart(maxPackets: number, maxBytes: number, snapLength: number, mode: number): void;
  /** Whole records in the layout of `struct uroce_tap_record`, at most `maxBytes`, and the number dropped so far. */
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
  /** `enum uroce_link`. */
  setQpLink(qp: NativeQp, link: number): void;
  /** `enum uroce_link`; -1 while it is not known. */
  qpLink(qp: NativeQp): number;
  sendPacket(qp: NativeQp, packet: Uint8Array): void;
}
