/** What a diagnosis says. Plain data: it can be posted to a worker or written as JSON. */
import type { CaptureError } from '../capture/types.js';
import type { EndpointRef } from '../models/types.js';
import type { MessageKind } from '../base/types.js';

export type Severity = 'error' | 'warning' | 'note';

export interface Finding {
  /** Stable name of its class; docs/diagnosis.md has a section for each. */
  id: string;
  severity: Severity;
  /** One sentence with figures. */
  text: string;
  /** What proves it, and what the capture cannot tell. */
  why: string;
  /** What to do about it. */
  cure: string;
  /** Numbers of the first packets that it is about, from 1 as in a packet list. */
  packets: number[];
  /** How many packets it is about. */
  total: number;
  /** Index into `Diagnosis.connections`; missing where it is about the capture. */
  connection?: number;
}

/** Messages of one kind that the requests of a direction begin, each counted once. */
export interface MessageTotals {
  kind: MessageKind;
  count: number;
  /** A message with packets missing counts as far as its length is known. */
  bytes: number;
  /** Length of the shortest and of the longest whose length is known; null if none is. */
  sizes: [least: number, most: number] | null;
  /** Messages that the responder refused for good. They count in nothing else. */
  refused: number;
}

/** The cure of a finding that asks for nothing. */
export const NO_CURE = 'Nothing.';

/** One direction of a connection. Bytes; times in nanoseconds since the first packet. */
export interface Direction {
  packets: number;
  /** Whole packets, link header included. */
  wireBytes: number;
  /** Payload, each PSN counted once. */
  goodBytes: number;
  /** Payload of all packets, retransmitted ones included. */
  payloadBytes: number;
  startT: number;
  endT: number;
  /** Payload per time from the first to the last packet; null for fewer than ten packets with payload. */
  gbps: number | null;
  /** Part of the wire bytes that is no payload; null without payload. */
  headerShare: number | null;
  retransmissions: number;
  /** PSNs of requests that were skipped and did not come later. */
  missing: number;
  messages: MessageTotals[];
}

export interface DiagnosedConnection {
  id: number;
  /** The first packet of the capture went from the first end to the second. The QPN is missing where the capture does not show it. */
  ends: [EndpointRef, EndpointRef];
  transport: string;
  /** How its directions were matched: by the caller, by CM messages, by PSNs, by the QPs that datagrams name, or not at all. */
  matched: 'known' | 'cm' | 'psn' | 'datagram' | 'no';
  /** From each end; null where the capture holds no packet from it. */
  from: [Direction | null, Direction | null];
  /** Payload of a packet that does not end its message. */
  mtu: number | null;
  firstPacket: number;
  lastPacket: number;
}

/** What a capture holds. Copies count in `packets`, `copies`, `malformed` and `icrc` alone. */
export interface CaptureCounts {
  packets: number;
  /** Packets that the capture holds from another place as well: as they left and as they arrived. */
  copies: number;
  rocePackets: number;
  durationNs: number;
  payloadBytes: number;
  /** Of the messages that begin in the capture, each counted once. */
  messageBytes: number;
  /** PSNs of requests that had not been captured when a later one was. */
  missing: number;
  /** Requests with a PSN at or behind one already passed. */
  retransmissions: number;
  /** Of those, PSNs that had been captured before. */
  duplicates: number;
  acks: number;
  naks: number;
  rnrNaks: number;
  malformed: number;
  icrcBad: number;
  icrcUnchecked: number;
}

/** Why nothing could be looked for. */
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
  /** What was looked for, found or not. */
  checked: string[];
  /** The capture shows nothing that could be checked: no verdict may be given. */
  unchecked?: Unchecked;
  /** Packets that belong to more connections than are followed. */
  notFollowed: number;
  /** Where the file broke; what stands before is diagnosed. */
  error?: CaptureError;
}
