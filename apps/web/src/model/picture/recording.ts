/**
 * What the picture replays: the recorded events of one or a few work requests between two endpoints. A recording is
 * made from a run, or shipped as a sample that was made from one. Times are nanoseconds from its start.
 */
import type { ProviderClass, QpState } from '@verbslab/protocol';
import type { PacketKind, QueueKind, Side } from './state';

export interface RecordedRegion {
  id: string;
  /** `0x8e195ca`. */
  lkey: string | null;
  rkey: string | null;
  /** Access flags as in the call. */
  access: readonly string[];
  address: string | null;
  length: number;
}

export interface RecordedEnd {
  title: string;
  address: string | null;
  device: string | null;
  /** `0x1ea1`. */
  qpn: string | null;
  /** State of the QP at the start of the recording; null if not recorded. */
  state: QpState | null;
  /** Slots of each queue; null if not recorded, absent for an end without that queue. */
  queues: Readonly<Partial<Record<QueueKind, number | null>>>;
  regions: readonly RecordedRegion[];
}

interface At {
  t: number;
  side: Side;
}

/** Events in order of time. */
export type RecordedEvent =
  /** A verbs call: the program and the library work from `t` to `end`. `code`: as in C; `result`: in words. */
  | (At & { kind: 'call'; end: number | null; code: string; line: string | null; result: string | null })
  /** A request is in its queue, with the memory that it names (`sge` of the poster). */
  | (At & {
      kind: 'posted';
      queue: 'sq' | 'rq';
      request: string;
      opcode: string;
      bytes: number;
      region: string | null;
      offset: number | null;
    })
  /** The device read the request; for a RECV, a message consumed it. */
  | (At & { kind: 'fetched'; queue: 'sq' | 'rq'; request: string })
  /** The slot of a request is free again. */
  | (At & { kind: 'retired'; queue: 'sq' | 'rq'; request: string })
  /** The device wrote a completion; `full`: there was no slot. */
  | (At & { kind: 'cqe'; request: string; status: number; full: boolean })
  | (At & { kind: 'polled'; request: string; status: number })
  /** A packet left `side`. `arrived`: null if it was lost or its arrival was not recorded. */
  | (At & {
      kind: 'packet';
      id: string;
      arrived: number | null;
      lost: boolean;
      again: boolean;
      packet: PacketKind;
      label: string;
      psn: number | null;
      bytes: number;
      /** Memory at the receiver that its payload goes into, and the range that its RETH names. */
      into: { region: string; offset: number } | null;
      reth: { region: string | null; offset: number | null; bytes: number } | null;
      /** Code of a NAK in words. */
      refusal: string | null;
    })
  | (At & { kind: 'state'; state: QpState })
  /** An asynchronous event. */
  | (At & { kind: 'async'; event: string });

export interface Recording {
  /** What was recorded: `One WRITE of 10,000 B`. */
  title: string;
  run: { id: string; number: number; lab: string; at: string } | null;
  provider: ProviderClass | null;
  link: string | null;
  /** Path MTU in bytes; null if not recorded. */
  mtu: number | null;
  ends: Readonly<Record<Side, RecordedEnd>>;
  events: readonly RecordedEvent[];
  /** True if packets, or the device's own times of a request, were not recorded: stages about them are left out. */
  withoutPackets: boolean;
  withoutStamps: boolean;
}

/** A part of a recording that is shown with the same length on screen as every other. */
export interface PictureStage {
  /** `Packets out`. */
  name: string;
  /** What happens, in one or two sentences. */
  caption: string;
  /** A question to ask before the stage is shown; null for none. */
  asks: string | null;
  from: number;
  to: number;
}
