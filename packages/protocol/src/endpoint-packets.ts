import { z } from 'zod';
import { op } from './endpoint-op.js';
import { zFaults } from './faults.js';
import { zCount, zHex64, zU24, zU32 } from './verbs.js';

const none = z.object({});

/** A captured packet, with the fields that a lab's checks need. */
export const zPacketSummary = z.object({
  direction: z.enum(['sent', 'received']),
  /** Time at which the device sent or got the packet, on the run's clock, ns. Absent from older agents. */
  t: zCount.optional(),
  /** BTH opcode, e.g. 0x06. */
  opcode: z.int().min(0).max(255),
  destQpn: zU24,
  psn: zU24,
  ackReq: z.boolean(),
  /** Payload between the headers and the pad, bytes. */
  payload: zCount,
  /** Length of the IP packet, bytes. Absent from older agents. */
  length: zCount.optional(),
  /** AETH syndrome, if there is one. */
  syndrome: z.int().min(0).max(255).optional(),
  /** Message sequence number of the AETH, if there is one. Absent from older agents. */
  msn: zU24.optional(),
  /** Fault that was injected. A dropped or damaged packet was never on the wire in this form. */
  fault: z.enum(['drop', 'duplicate', 'late', 'corrupt', 'mark']).optional(),
  /** True if the ICRC matches one recomputed from the captured bytes. */
  icrcOk: z.boolean(),
  /** Message of the connection manager, e.g. `ConnectRequest`. */
  cm: z.string().optional(),
  /** Captured bytes from the IP header on, two hex digits per byte. Only with `withBytes`. */
  hex: z.string().optional(),
});
export type PacketSummary = z.infer<typeof zPacketSummary>;

/** Packets that a tap captured: all figures since `tap.start`, the list since the last answer. */
export const zTapReport = z.object({
  packets: zCount,
  dropped: zCount,
  /** Captured packets by BTH opcode (decimal). */
  opcodes: z.record(z.string(), zCount),
  /** Packets with a wrong ICRC; packets that cannot be read as RoCEv2. */
  badIcrc: zCount,
  malformed: zCount,
  /** Packets that were not kept whole, so their ICRC cannot be checked. */
  cut: zCount.optional(),
  /**
   * Packets of the interface that belong to no connection of this endpoint. They are only in the stream. Absent if the
   * device reports its own packets.
   */
  others: zCount.optional(),
  /** Captured packets, at most TAP_LIST, oldest first. */
  list: z.array(zPacketSummary),
});
export type TapReport = z.infer<typeof zTapReport>;
export const TAP_LIST = 4096;

/**
 * Times at which a send work request reached each stage, on the run's clock, ns; null if it did not. Source:
 * `uroce_stamp`.
 */
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
  /** Stamps, oldest first. Only with `withStamps`. */
  stamps: z.array(zRequestStamps).optional(),
});
const withStamps = z.object({ withStamps: z.boolean().optional() });

/** Commands for packets and requests on their way: the tap, the stamps of work requests, injected faults. */
export const PACKET_OPS = {
  /**
   * Streams packets of this endpoint in both directions as frames under `source` until `tap.stop`. A kernel device has
   * no tap: all RoCEv2 packets of its network interface are streamed then, and the answer names the interface. In that
   * case, `maxBytes` is the size of the ring in which packets wait, `maxPackets` has no effect, and packets for a full
   * ring are lost.
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
        /** Adds the bytes of the packets to the list, for labs that send only a few. */
        withBytes: z.boolean().optional(),
      }),
    () => z.object({ interface: z.string().optional() }),
  ),
  /** Sends the packets that the tap has captured so far. */
  'tap.flush': op(
    () => none,
    () => zTapReport,
  ),
  'tap.stop': op(
    () => none,
    () => zTapReport,
  ),
  /** Stamps requests. `stamps.flush` and `stamps.stop` report them as `wr` events. */
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
  /**
   * Sets the faults from now on, in place of earlier ones. Without any, packets pass untouched. With `report`, an event
   * reports the change.
   */
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
        /** Packets that were marked as congested. Absent from older agents. */
        marked: zCount.optional(),
      }),
  ),
} as const;
