import { z } from 'zod';
import { op } from './endpoint-op.js';
import { zFaults } from './faults.js';
import { zCount, zHex64, zU24, zU32 } from './verbs.js';

const none = z.object({});

/** One captured packet, as far as a lab's checks need it. */
export const zPacketSummary = z.object({
  direction: z.enum(['sent', 'received']),
  /** When the device sent or got it, on the run's clock, ns. Absent from older agents. */
  t: zCount.optional(),
  /** BTH opcode, e.g. 0x06. */
  opcode: z.int().min(0).max(255),
  destQpn: zU24,
  psn: zU24,
  ackReq: z.boolean(),
  /** Bytes between the headers and the pad. */
  payload: zCount,
  /** Bytes of the IP packet. Absent from older agents. */
  length: zCount.optional(),
  /** AETH syndrome, where there is one. */
  syndrome: z.int().min(0).max(255).optional(),
  /** Message sequence number of the AETH, where there is one. Absent from older agents. */
  msn: zU24.optional(),
  /** What fault injection did to it. One that it dropped or damaged was never on the wire as it is here. */
  fault: z.enum(['drop', 'duplicate', 'late', 'corrupt', 'mark']).optional(),
  /** The ICRC matches one recomputed from the captured bytes. */
  icrcOk: z.boolean(),
  /** Message of the connection manager, e.g. `ConnectRequest`. */
  cm: z.string().optional(),
  /** What was kept of the packet, from the IP header on: two hex digits a byte. With `withBytes` only. */
  hex: z.string().optional(),
});
export type PacketSummary = z.infer<typeof zPacketSummary>;

/** What a tap caught: all figures since `tap.start`, the list since the last answer. */
export const zTapReport = z.object({
  packets: zCount,
  dropped: zCount,
  /** Captured packets by BTH opcode (decimal). */
  opcodes: z.record(z.string(), zCount),
  /** Packets whose ICRC is not the computed one; packets that cannot be read as RoCEv2. */
  badIcrc: zCount,
  malformed: zCount,
  /** Packets that were not kept whole, so that their ICRC cannot be checked. */
  cut: zCount.optional(),
  /**
   * Packets of the interface that belong to no connection of this endpoint: they are in the stream and in no other
   * figure. Absent if the device reports its own packets.
   */
  others: zCount.optional(),
  /** At most TAP_LIST packets, the oldest first. */
  list: z.array(zPacketSummary),
});
export type TapReport = z.infer<typeof zTapReport>;
export const TAP_LIST = 4096;

/** When a send work request reached each stage of its life, on the run's clock, ns; null: it did not. Source: `uroce_stamp`. */
export const zRequestStamps = z.object({
  wrId: zCount,
  qpn: zU24,
  posted: z.number(),
  firstTx: z.number().nullable(),
  lastTx: z.number().nullable(),
  acked: z.number().nullable(),
  cqe: z.number().nullable(),
  polled: z.number().nullable(),
});
export type RequestStamps = z.infer<typeof zRequestStamps>;

const zStampsReport = z.object({
  records: zCount,
  dropped: zCount,
  /** With `withStamps` only, the oldest first. */
  stamps: z.array(zRequestStamps).optional(),
});
const withStamps = z.object({ withStamps: z.boolean().optional() });

/** What happens to packets and requests on their way: the tap, the stamps of work requests, injected faults. */
export const PACKET_OPS = {
  /**
   * Packets of this endpoint, both directions, are streamed as frames under `source` until `tap.stop`. A kernel device
   * has no tap of its own: then all RoCEv2 packets of its network interface are, and the answer names that. There
   * `maxBytes` sizes the ring in which packets wait, `maxPackets` says nothing, and what comes to a full ring is lost.
   */
  'tap.start': op(
    () =>
      z.object({
        source: zU32,
        maxPackets: z
          .int()
          .min(1)
          .max(1 << 20)
          .optional(),
        maxBytes: z
          .int()
          .min(4096)
          .max(1 << 30)
          .optional(),
        snapLength: zCount.optional(),
        mode: z.enum(['ring', 'keep']).optional(),
        /** The list holds the bytes of its packets, too: for labs that send a few. */
        withBytes: z.boolean().optional(),
      }),
    () => z.object({ interface: z.string().optional() }),
  ),
  /** Sends on what the tap has caught up to now. */
  'tap.flush': op(
    () => none,
    () => zTapReport,
  ),
  'tap.stop': op(
    () => none,
    () => zTapReport,
  ),
  /** Stamped requests are reported as `wr` events by `stamps.flush` and `stamps.stop`. */
  'stamps.start': op(
    () => z.object({ maxRecords: zCount.optional(), every: zCount.optional() }),
    () => none,
  ),
  'stamps.flush': op(
    () => withStamps,
    () => zStampsReport,
  ),
  'stamps.stop': op(
    () => withStamps,
    () => zStampsReport,
  ),
  /** From now on, and instead of what was set before: without any, packets pass untouched. With `report`, an event says so. */
  faults: op(
    () => zFaults.extend({ report: z.literal(true).optional() }),
    () => none,
  ),
  'faults.query': op(
    () => none,
    () =>
      z.object({
        seed: zHex64,
        packets: zCount,
        dropped: zCount,
        duplicated: zCount,
        reordered: zCount,
        delayed: zCount,
        corrupted: zCount,
        /** Packets marked as congested. Absent from older agents. */
        marked: zCount.optional(),
      }),
  ),
} as const;
