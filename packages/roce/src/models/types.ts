/** Rows of a capture, what `analyse` finds out about them, and the models that views draw. */
import type { Capture, CaptureError } from '../capture/types.js';
import type { IcrcCheck, MessageKind, PacketKind, PacketSummary } from '../base/types.js';

/** One row of a packet list: summary columns at once, every field on demand. */
export interface PacketRow extends PacketSummary {
  /** UDP ports that carry RoCEv2 besides 4791, if it was read so. */
  ports?: readonly number[];
  /** From 0. */
  index: number;
  /** Nanoseconds since the first packet of the capture. */
  t: number;
  timeNs: bigint;
  linkType: number;
  length: number;
  originalLength: number;
  comments?: string[];
  direction?: 'in' | 'out';
  /** The captured bytes (a view). */
  data: Uint8Array;
  /** Absent where it was not asked for, and on packets that have none. */
  icrc?: IcrcCheck['status'];
}

/** What a capture contains, in figures. All lengths in bytes, times in nanoseconds. */
export interface CaptureSummary {
  /** All of them, copies included. */
  packets: number;
  /** Arrivals of packets that the capture holds as they left, too. They count in `packets`, `wireBytes`, `protocols`, `malformed` and `icrc`, and nowhere else. */
  copies: number;
  rocePackets: number;
  /** Captured bytes on the wire, link header included. */
  wireBytes: number;
  roceWireBytes: number;
  /** RoCE payload, retransmissions included. */
  payloadBytes: number;
  /** Bytes of all messages, each counted once. */
  messageBytes: number;
  /** Time of the first packet in nanoseconds since the epoch, as decimal text (it does not fit a JSON number). */
  startNs: string | null;
  durationNs: number;
  protocols: Record<string, number>;
  /** By opcode name. */
  opcodes: Record<string, number>;
  kinds: Record<string, number>;
  malformed: number;
  icrc: { ok: number; okOtherId: number; bad: number; unchecked: number };
  /** Retransmitted requests seen (PSN at or behind one already passed). */
  retransmissions: number;
  /** Of those, PSNs that had been captured before. */
  duplicates: number;
  /** Forward jumps in a request stream: packets that never reached the place of capture, or came late. */
  gaps: number;
  naks: {
    sequence: number;
    invalidRequest: number;
    remoteAccess: number;
    remoteOperational: number;
    other: number;
  };
  rnrNaks: number;
  cnps: number;
  ecnMarked: number;
  connections: ConnectionSummary[];
}

export interface ConnectionSummary {
  id: number;
  /** Each end's address and QPN; QPN is undefined if the capture does not show it. */
  ends: [EndpointRef, EndpointRef];
  transport: string;
  packets: number;
  messages: number;
  payloadBytes: number;
  retransmissions: number;
  duplicates: number;
  gaps: number;
  /** PSNs of each end's requests that had not been captured when a later one was. */
  missing: [number, number];
  naks: number;
  rnrNaks: number;
  /** Path MTU in bytes, if the packets or the caller give it. */
  mtu?: number;
  /** First PSN of the requests of each end; null when it sent none. */
  basePsn: [number | null, number | null];
  /** Times of the first and last packet, as `PacketRow.t`. */
  startT: number;
  endT: number;
}

export interface EndpointRef {
  ip: string;
  qpn?: number;
  name?: string;
}

/** A connection the caller knows (a lab run knows its QPs), so that it need not be inferred. */
export interface KnownConnection {
  ends: [{ ip: string; qpn: number; name?: string }, { ip: string; qpn: number; name?: string }];
  /** Path MTU in bytes. */
  mtu?: number;
}

export interface DecodedFile {
  capture: Omit<Capture, 'records'>;
  packets: PacketRow[];
  analysis: Analysis;
  summary: CaptureSummary;
  error?: CaptureError;
}

/** What `analyse` finds out about the rows of a capture; every model is drawn from it. */
export interface Analysis {
  rows: PacketRow[];
  /** By row index: connection id, or -1. */
  connectionOf: Int32Array;
  /** By row index: which end of the connection sent it (0 or 1), or -1. */
  senderOf: Int8Array;
  /** By row index: message id, or -1. */
  messageOf: Int32Array;
  /** By row index: of the arrival of a packet, the row of its departure; -1 for all others, and where that was not captured. */
  departureOf: Int32Array;
  /** By row index: PSN with the 24-bit wrap undone, counted from the requester's first; NaN where there is none. */
  psnOf: Float64Array;
  /** By row index. Most packets have none. */
  marks: Map<number, PacketMark[]>;
  connections: ConnectionSummary[];
  messages: Message[];
}

/** What is worth pointing out in a packet, apart from its kind. */
export type PacketMark =
  /** The arrival of a packet that the capture also holds as sent: not a separate packet. */
  | 'copy'
  /** A request whose PSN is behind the highest one sent: the requester retransmitted it. */
  | 'retransmission'
  /** A PSN that this capture already holds (request or response). */
  | 'duplicate'
  /** PSNs before this request are missing from the capture. */
  | 'gap'
  | 'nak'
  | 'rnr'
  /** Acknowledges several packets at once. */
  | 'coalesced-ack'
  | 'ecn'
  | 'cnp'
  | 'icrc-bad'
  | 'malformed';

/** A vertical line of the ladder. */
export interface LadderLane {
  id: number;
  label: string;
  ip: string;
  /** Set when lanes are QPs (two endpoints share one address). */
  qpn?: number;
}

/** An arrow of the ladder. */
export interface LadderPacket {
  /** Row index (`PacketRow.index`). */
  packet: number;
  t: number;
  from: number;
  to: number;
  kind: PacketKind;
  /** Short text on the arrow. */
  label: string;
  psn?: number;
  connection?: number;
  /** Message it belongs to (request or response); index into `messages`. */
  message?: number;
  marks: PacketMark[];
}

/** One message: its request packets, its responses, and when it was done. */
export interface Message {
  id: number;
  connection: number;
  kind: MessageKind;
  /** Which end of the connection asked: index into `ConnectionSummary.ends`. */
  from: 0 | 1;
  firstPsn: number;
  /** Of the last packet known to belong to it (a READ counts its responses). */
  lastPsn: number;
  /** Row indices in time order, retransmissions included. */
  requests: number[];
  responses: number[];
  /** Payload bytes of the message, each byte counted once. */
  bytes: number;
  startT: number;
  /** Time of the last request packet. */
  sentT: number;
  /** Time of the response that completed it. */
  doneT?: number;
  retransmissions: number;
  /**
   * `acknowledged` or `refused` by a response; `sent` on transports that do not answer; `open` when the capture
   * does not show it.
   */
  status: 'acknowledged' | 'refused' | 'sent' | 'open';
  /** Row index of the ACK, NAK or last response that decided it. */
  decidedBy?: number;
}

export interface LadderModel {
  lanes: LadderLane[];
  packets: LadderPacket[];
  messages: Message[];
  connections: ConnectionSummary[];
  /** How many rows have no place in the ladder: not RoCE, without a BTH, or a copy of one that is there. */
  skipped: number;
}

/** What the caller knows better than the capture does. */
export interface AnalysisOptions {
  connections?: KnownConnection[];
}

export interface LadderOptions {
  /** Names of hosts by IP address, for lane labels. */
  names?: Record<string, string>;
  /** `auto`: one lane a host, or one a QP when a host talks to itself. */
  lanes?: 'auto' | 'host' | 'qp';
}

/** Kinds of a PSN-against-time point, as numbers because they are kept in a Uint8Array. */
export const PsnPointKind = {
  REQUEST: 0,
  RETRANSMISSION: 1,
  READ_RESPONSE: 2,
  ACK: 3,
  NAK: 4,
  RNR: 5,
  DUPLICATE_RESPONSE: 6,
} as const;

/** One requester's PSN space over time. Columns of equal length, in time order. */
export interface PsnSeries {
  connection: number;
  requester: EndpointRef;
  responder: EndpointRef;
  /** PSN that counts as 0; `psn` columns are distances from it (24-bit wrap undone). */
  basePsn: number;
  t: Float64Array;
  psn: Float64Array;
  /** PsnPointKind */
  kind: Uint8Array;
  /** Row index. */
  packet: Uint32Array;
}
