/** Results of a diagnosis. Plain data that can be posted to a worker or written as JSON. */
import type { CaptureError } from '../capture/types.js';
import type { EndpointRef } from '../models/types.js';
import type { MessageKind } from '../base/types.js';

export type Severity = 'error' | 'warning' | 'note';

export interface Finding {
  /** Stable name of the finding class. docs/diagnosis.md has a section per class. */
  id: string;
  severity: Severity;
  /** The finding in one sentence, with figures. */
  text: string;
  /** Evidence, and the limits of the capture. */
  why: string;
  /** Advice. */
  cure: string;
  /** Numbers of the first packets concerned, from 1 as in a packet list. */
  packets: number[];
  /** Number of packets concerned. */
  total: number;
  /** Index into `Diagnosis.connections`; missing if the finding is about the capture. */
  connection?: number;
}

/** Messages of one kind that the requests of a direction begin, each counted once. */
export interface MessageTotals {
  kind: MessageKind;
  count: number;
  /** A message with packets missing counts as far as its length is known. */
  bytes: number;
  /** Shortest and longest known length; null if none is known. */
  sizes: [least: number, most: number] | null;
  /** Messages that the responder refused for good. They count in nothing else. */
  refused: number;
}

/** Advice of a finding that asks for nothing. */
export const NO_CURE = 'Nothing.';

/** A direction of a connection. Lengths in bytes, times in nanoseconds since the first packet. */
export interface Direction {
  packets: number;
  /** Bytes of whole packets, link header included. */
  wireBytes: number;
  /** Payload, each PSN counted once. */
  goodBytes: number;
  /** Payload of all packets, retransmitted ones included. */
  payloadBytes: number;
  startT: number;
  endT: number;
  /** Payload per time from the first to the last packet; null for fewer than ten packets with payload. */
  gbps: number | null;
  /** Share of the wire bytes that is not payload; null without payload. */
  headerShare: number | null;
  retransmissions: number;
  /** PSNs of requests that were skipped and did not come later. */
  missing: number;
  messages: MessageTotals[];
}

export interface DiagnosedConnection {
  id: number;
  /**
   * The two ends. The first packet of the capture went from the first end to the second. The QPN is missing if the
   * capture does not show it.
   */
  ends: [EndpointRef, EndpointRef];
  transport: string;
  /** Source of the match of the two directions: the caller, CM messages, PSNs, the QPs that datagrams name, or none. */
  matched: 'known' | 'cm' | 'psn' | 'datagram' | 'no';
  /** Directions by sending end; null if the capture holds no packet from that end. */
  from: [Direction | null, Direction | null];
  /** Payload of a packet that does not end its message. */
  mtu: number | null;
  firstPacket: number;
  lastPacket: number;
}

/** Counts of a capture. Copies count only in `packets`, `copies`, `rocePackets`, `malformed` and the ICRC counts. */
export interface CaptureCounts {
  packets: number;
  /** Packets that the capture also holds from another place: as they left and as they arrived. */
  copies: number;
  rocePackets: number;
  durationNs: number;
  payloadBytes: number;
  /** Bytes of the messages that begin in the capture, each counted once. */
  messageBytes: number;
  /** PSNs of requests that had not been captured when a later one was. */
  missing: number;
  /** Requests with a PSN at or behind one already passed. */
  retransmissions: number;
  /** Retransmissions whose PSN had been captured before. */
  duplicates: number;
  acks: number;
  naks: number;
  rnrNaks: number;
  malformed: number;
  icrcBad: number;
  icrcUnchecked: number;
}

/** Reason why nothing could be checked. */
export interface Unchecked {
  text: string;
  why: string;
}

export interface Diagnosis {
  packets: number;
  rocePackets: number;
  durationNs: number;
  counts: CaptureCounts;
  findings: Finding[];
  connections: DiagnosedConnection[];
  /** Names of all checks, with or without findings. */
  checked: string[];
  /** Set if the capture shows nothing that could be checked. No verdict may be given then. */
  unchecked?: Unchecked;
  /** Packets that belong to more connections than are followed. */
  notFollowed: number;
  /** Damage in the file. The packets before it are diagnosed. */
  error?: CaptureError;
}
