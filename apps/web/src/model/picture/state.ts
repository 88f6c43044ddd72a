/**
 * State of the canonical picture at one moment: two hosts and the wire between them. The drawing is a function of this
 * and of its width alone, and knows nothing about time.
 */
import type { QpState } from '@verbslab/protocol';

/** The client is on the left, and above the server where the picture is narrow. */
export type Side = 'client' | 'server';
export const SIDES: readonly Side[] = ['client', 'server'];
export const otherSide = (side: Side): Side => (side === 'client' ? 'server' : 'client');

/** Parts of a host that can work. */
export type Owner = 'program' | 'library' | 'device' | 'kernel';

export type QueueKind = 'sq' | 'rq' | 'cq';

/** A part of the picture that a lab is about; all others are drawn quietly. */
export type Focus = `${Side}.${QueueKind | 'memory' | Owner}` | 'wire';

/**
 * Content of a slot. `used`: a request of the program; `waiting`: one that waits for a retransmission or a RECV;
 * `cqe`: a completion that was not polled; `failed`: a request or completion with an error; `unknown`: not recorded.
 */
export type Slot = 'free' | 'used' | 'waiting' | 'cqe' | 'failed' | 'unknown';

export interface RingState {
  /** Number of slots that the queue has; null if not recorded. */
  capacity: number | null;
  /** Slots in use; null if not recorded. */
  used: number | null;
  /** Content of each slot. Fewer than `capacity` where one stands for several; the drawing reduces more than 40 itself. */
  slots: readonly Slot[];
  /** Index in `slots` of the slot that is written next, and who writes it; null if not recorded. */
  written: { slot: number; by: 'program' | 'device' } | null;
  /** Index in `slots` of the slot that is read next, and who reads it; null if not recorded. */
  read: { slot: number; by: 'program' | 'device' } | null;
  /** A few words below the ring. */
  note: string | null;
  /** `SRQ` for a receive queue that several QPs share; absent: the name of its kind. */
  label?: string;
}

/** A range of bytes, relative to the start of the region: `from` inclusive, `to` exclusive. May lie outside. */
export interface ByteRange {
  from: number;
  to: number;
}

/** A memory region as an address ruler. */
export interface RulerState {
  /** `MR rkey 0x8e195ca`. */
  title: string;
  /** Access rights in words; empty for none but local reads. */
  rights: string;
  /** Address of the first byte; null if not recorded. */
  address: string | null;
  /** Bytes of the region. */
  length: number;
  registered: boolean;
  /** Ranges whose bytes are the payload: at the source before it is sent, at the destination when it has arrived. */
  filled: readonly (ByteRange & { faint: boolean })[];
  /** Range that the request names, with its words (`RETH: +0, 10,000 B`); its part outside is drawn in red. */
  touched: (ByteRange & { text: string; refused: boolean }) | null;
}

export interface HostState {
  /** `Client`, or the name of a process. */
  title: string;
  /** IP address; null if not recorded. */
  address: string | null;
  lit: readonly Owner[];
  /** The line of code that runs or ran last, and its place in the source as `main.c:88`; null if not recorded. */
  code: string | null;
  line: string | null;
  /** Activity of the library in a few words; null while idle. */
  library: string | null;
  rings: Readonly<Partial<Record<QueueKind, RingState>>>;
  /** Region that is touched; null if there is none. */
  memory: RulerState | null;
  /** Number of further regions that are not drawn. */
  moreRegions: number;
  /** Activity of the device in up to three short lines; empty while idle. */
  device: readonly string[];
  deviceName: string | null;
  /** `number`: `0x1ea1`. */
  qp: { number: string; state: QpState | null } | null;
  /** Activity of the kernel; null while it is not on the path. */
  kernel: string | null;
}

/** `data`: carries payload; `request`: asks for data; `ack`, `nak`: answers. */
export type PacketKind = 'data' | 'request' | 'ack' | 'nak';

export interface PacketState {
  /** Equal in all states in which the same packet is on the wire. */
  id: string;
  from: Side;
  lane: 'data' | 'answers';
  kind: PacketKind;
  again: boolean;
  lost: boolean;
  /** `First`, `ACK`, `RNR NAK`. */
  label: string;
  /** PSN relative to the first of the recording, as `+2`. */
  psn: string | null;
  /** Part of the wire that it has crossed, 0 to 1. A lost packet stays where it was lost. */
  crossed: number;
  /** True if the record lacks its departure or its arrival, so that its place is only known to lie between two events. */
  between: boolean;
}

/** Flow along a line inside a host: control (`program` to queue and so on) or payload (`memory` and device). */
export type Flow =
  | `library>${QueueKind}`
  | `${QueueKind}>library`
  | `${QueueKind}>device`
  | `device>${QueueKind}`
  | 'memory>device'
  | 'device>memory'
  | 'doorbell';

export interface FlowState {
  side: Side;
  flow: Flow;
  /** Item on its way, such as `WQE 1`; null for none. */
  item: string | null;
  /** Part of the line that the item has moved, 0 to 1. */
  moved: number;
  /** The item reports an error. */
  failed?: boolean;
}

export interface PictureState {
  hosts: Readonly<Record<Side, HostState>>;
  flows: readonly FlowState[];
  packets: readonly PacketState[];
  /** `RoCEv2, UDP 4791`, or `shared memory`. */
  wire: string;
  /** Words below the data lane and above the lane of the answers. */
  dataText: string | null;
  answerText: string | null;
  /** Parts to draw with full strength; null for all. */
  focus: readonly Focus[] | null;
}
