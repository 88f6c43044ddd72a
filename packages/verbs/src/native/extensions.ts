/** What only some devices can do. */
import type { NativeQp } from './qp.js';

/** The extension calls (`uroce.h`) of a context. A call that the library lacks throws ENOSYS. */
export interface NativeExtensions {
  cpu(): {
    engineUserNs: number;
    engineKernelNs: number;
    appThreadNs: number;
    threadCpuNs: number;
    progressCalls: number;
    emptyPolls: number;
  };
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
  queryFaults(): {
    seed: bigint;
    packets: number;
    dropped: number;
    duplicated: number;
    reordered: number;
    delayed: number;
    corrupted: number;
    marked: number;
  };
  stampsStart(maxRecords: number, every: number): void;
  stampsRead(max: number): {
    stamps: {
      wrId: bigint;
      qpn: number;
      opcode: number;
      byteLength: number;
      status: number;
      postedNs: bigint;
      firstTxNs: bigint;
      lastTxNs: bigint;
      ackedNs: bigint;
      cqeNs: bigint;
      polledNs: bigint;
    }[];
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
