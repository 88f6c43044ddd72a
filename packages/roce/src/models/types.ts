/** Rows of a capture, the results of `analyze`, and the models that views draw. */
import type { Capture, CaptureError } from '../capture/types.js';
import type { IcrcCheck, MessageKind, PacketKind, PacketSummary } from '../base/types.js';

/** A row of a packet list: summary columns at once, every field on demand. */
export interface PacketRow extends PacketSummary {
  /** Further UDP ports that carried RoCEv2 besides 4791 when the packet was read. */
  ports?: readonly number[];
  /** Row number, from 0. */
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
  /** Result of the ICRC check; absent if it was not asked for, and on packets without an ICRC. */
  icrc?: IcrcCheck['status'];
}

/** Figures of a capture. Lengths in bytes, times in nanoseconds. */
export interface CaptureSummary {
  /** All packets, copies included. */
  packets: number;
  /**
   * Arrivals of packets that the capture holds as they left, too. They count only in `packets`, `wireBytes`,
   * `protocols`, `malformed`, `ecnMarked` and `icrc`.
   */
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
  /** Packets by opcode name. */
  opcodes: Record<string, number>;
  kinds: Record<string, number>;
  malformed: number;
  icrc: { ok: number; okOtherId: number; bad: number; unchecked: number };
  /** Retransmitted requests (PSN at or behind one already passed). */
  retransmissions: number;
  /** Retransmissions whose PSN had been captured before. */
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
  /** Address and QPN of each end. A QPN is undefined if the capture does not show it. */
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

/** A connection that the caller knows (a lab run knows its QPs), so that it need not be inferred. */
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

/** Results of `analyze` about the rows of a capture. Every model is drawn from it. */
export interface Analysis {
  rows: PacketRow[];
  /** Connection ID by row index, or -1. */
  connectionOf: Int32Array;
  /** Sending end of the connection (0 or 1) by row index, or -1. */
  senderOf: Int8Array;
  /** Message ID by row index, or -1. */
  messageOf: Int32Array;
  /** Row of the departure by row index of an arrival; -1 for all other rows, and if the departure was not captured. */
  departureOf: Int32Array;
  /** PSN by row index, with the 24-bit wrap undone, counted from the requester's first; NaN if there is none. */
  psnOf: Float64Array;
  /** Marks by row index. Most packets have none. */
  marks: Map<number, PacketMark[]>;
  connections: ConnectionSummary[];
  messages: Message[];
}

/** Notable facts about a packet, apart from its kind. */
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
  /** Message of the packet (request or response); index into `messages`. */
  message?: number;
  marks: PacketMark[];
}

/** A message: its request packets, its responses, and the time of its completion. */
export interface Message {
  id: number;
  connection: number;
  kind: MessageKind;
  /** Requesting end of the connection: index into `ConnectionSummary.ends`. */
  from: 0 | 1;
  firstPsn: number;
  /** PSN of the last packet known to belong to the message (a READ counts its responses). */
  lastPsn: number;
  /** Row indices in time order, retransmissions included. */
  requests: number[];
  responses: number[];
  /** Payload bytes of the message, each byte counted once. */
  bytes: number;
  startT: number;
  /** Time of the last request packet. */
  sentT: number;
  /** Time of the response that completed the message. */
  doneT?: number;
  retransmissions: number;
  /**
   * `acknowledged` or `refused` by a response; `sent` on transports without responses; `open` if the capture does not
   * show the outcome.
   */
  status: 'acknowledged' | 'refused' | 'sent' | 'open';
  /** Row index of the ACK, NAK or last response that decided the status. */
  decidedBy?: number;
}

export interface LadderModel {
  lanes: LadderLane[];
  packets: LadderPacket[];
  messages: Message[];
  connections: ConnectionSummary[];
  /** Number of rows without a place in the ladder: not RoCE, without a BTH, or a copy of a row that is there. */
  skipped: number;
}

/** Facts that the caller knows better than the capture. */
export interface AnalysisOptions {
  connections?: KnownConnection[];
}

export interface LadderOptions {
  /** Names of hosts by IP address, for lane labels. */
  names?: Record<string, string>;
  /** `auto`: a lane per host, or a lane per QP if a host talks to itself. */
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

/** PSN space of a requester over time. Columns of equal length, in time order. */
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
