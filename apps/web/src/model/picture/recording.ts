/**
 * What the picture replays: the recorded events of one or a few work requests between two endpoints. A recording is
 * made from a run, or shipped as a sample that was made from one. Times are nanoseconds from its start.
 */
import type { Link, ProviderClass, QpState } from '@verbslab/protocol';
import type { Focus, PacketKind, QueueKind, Side } from './state';

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

export interface RecordedQueue {
  /** Slots; null if not recorded. */
  capacity: number | null;
  /** Entries written before the recording, which say where the next one goes; null if not recorded. */
  before: number | null;
  /** Requests in it at the start, oldest first. Null if its content is not recorded: all of its slots are unknown. */
  holds: readonly string[] | null;
  /** Number of QPs that take RECVs from it; absent: it belongs to one QP. */
  sharedBy?: number;
}

export interface RecordedEnd {
  title: string;
  address: string | null;
  device: string | null;
  /** `0x1ea1`. */
  qpn: string | null;
  /** State of the QP at the start of the recording; null if not recorded. */
  state: QpState | null;
  /** Absent: this end has no such queue. */
  queues: Readonly<Partial<Record<QueueKind, RecordedQueue>>>;
  /** Regions that a request or a packet names. */
  regions: readonly RecordedRegion[];
  /** Number of its other regions. */
  moreRegions: number;
}

interface At {
  /** Time of the event, or the latest possible one if `since` is there. */
  t: number;
  /** The event is only known to lie after this time and not after `t`. */
  since?: number;
  side: Side;
}

export interface RecordedRange {
  region: string;
  offset: number;
}

/** A verbs call: the program and the library work from `t` to `end`. */
export type CallEvent = At & {
  kind: 'call';
  end: number | null;
  /** Name of the function. */
  call: string;
  /** As in C. */
  code: string;
  line: string | null;
  /** As in a comment behind the call: `→ 1`. */
  result: string | null;
};

/** A request is in its queue, with the memory that it names (its first `sge`). */
export type PostedEvent = At & {
  kind: 'posted';
  queue: 'sq' | 'rq';
  request: string;
  /** `WQE 1`, `RECV 7`: its kind and `wr_id`. */
  name: string;
  opcode: string;
  bytes: number;
  local: RecordedRange | null;
  /** Memory of the peer that it names. */
  remote: RecordedRange | null;
  signaled: boolean;
  /** Its payload is in the queue, not in memory. */
  inline: boolean;
};

/** A packet left `side`; `t` is the earliest recorded time of it. */
export type PacketEvent = At & {
  kind: 'packet';
  id: string;
  /** Null if it was not recorded. */
  sent: number | null;
  /** Null if it was lost or its arrival was not recorded. */
  arrived: number | null;
  /**
   * Times between which it was on the wire. A time that was not recorded is replaced by one between the recorded events
   * before and after it.
   */
  from: number;
  to: number;
  /** Its arrival was recorded, or follows from a later event: an ACK, a completion. */
  proven: boolean;
  /** The receiver took it; false for a packet that was lost, refused, out of order, or a duplicate. */
  taken: boolean;
  lost: boolean;
  again: boolean;
  packet: PacketKind;
  label: string;
  /** Relative to the first packet of the recording. */
  psn: number | null;
  bytes: number;
  /** The send request that it belongs to; null if it is not known. */
  request: string | null;
  /** Memory at the receiver that its payload goes into, and the range that its RETH names. */
  into: RecordedRange | null;
  reth: { region: string | null; offset: number | null; bytes: number } | null;
  /** Code of a NAK in words, and the time that an RNR NAK asks for, ns. */
  refusal: string | null;
  wait: number | null;
};

/** Events in order of time. */
export type RecordedEvent =
  | CallEvent
  | PostedEvent
  /** The device read the request; for a RECV, a message consumed it. */
  | (At & { kind: 'fetched'; queue: 'sq' | 'rq'; request: string })
  /** The slot of a request is free again. */
  | (At & { kind: 'retired'; queue: 'sq' | 'rq'; request: string })
  /** The device wrote a completion; `full`: there was no slot. */
  | (At & { kind: 'cqe'; request: string; status: number; full: boolean })
  /** `name`: of the status, such as `SUCCESS`. */
  | (At & { kind: 'polled'; request: string; status: number; name: string; bytes: number | null })
  | PacketEvent
  | (At & { kind: 'state'; state: QpState })
  /** An asynchronous event, when the program read it. */
  | (At & { kind: 'async'; event: string });

export interface Recording {
  /** What was recorded: `One WRITE of 10,000 B`. */
  title: string;
  run: { id: string; number: number; lab: string; at: string } | null;
  /** Time of the run at its start, ns; absent in samples. */
  startsAt?: number;
  provider: ProviderClass | null;
  link: Link | null;
  /** `RC`, `UC` or `UD`; null if not recorded. */
  transport: string | null;
  /** Path MTU in bytes; null if not recorded. */
  mtu: number | null;
  ends: Readonly<Record<Side, RecordedEnd>>;
  /** The send requests that it is about, and their end. */
  poster: Side;
  requests: readonly string[];
  /** The request as its packets tell of it, if its post is not recorded: no event says when it was posted. */
  unposted?: PostedEvent;
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
  /** Time between the end of the stage before and the start of this one, which is not shown. */
  cut: number;
  /** Parts that the stage is about. */
  focus: readonly Focus[];
}
