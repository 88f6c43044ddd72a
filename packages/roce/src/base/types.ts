/**
 * The public shapes of this package. Everything here is plain data: it can be kept in a store, posted to a
 * worker (structured clone) or, through `toJson`, written as JSON.
 *
 * Units: offsets and lengths are bytes counted from the first byte of the packet; times are nanoseconds.
 */

/** Link types of pcap/pcapng that this package reads (numbers of the LINKTYPE_ registry). */
export const LinkType = {
  /** Loopback of BSD and macOS, in the byte order of the host; LOOP is big-endian. */
  NULL: 0,
  ETHERNET: 1,
  /** RAW as some systems number it. */
  RAW_BSD: 12,
  RAW_OPENBSD: 14,
  RAW: 101,
  LOOP: 108,
  LINUX_SLL: 113,
  ERF: 197,
  IPV4: 228,
  IPV6: 229,
  INFINIBAND: 247,
  LINUX_SLL2: 276,
} as const;

/** Value of one decoded field. 64-bit fields are bigint, byte strings are views into the packet. */
export type FieldValue = number | bigint | boolean | string | Uint8Array;

/** A field of a header, as shown in a detail pane. */
export interface Field {
  /** Display-filter name, e.g. `infiniband.bth.psn`. Wireshark's own name where it has one. */
  name: string;
  /** False when Wireshark has no field of this name, so it cannot be used as a display filter. */
  inWireshark: boolean;
  /** Human label, e.g. `Packet Sequence Number`. */
  label: string;
  /** First byte of the field in the packet. */
  offset: number;
  /** Number of bytes that hold the field. */
  length: number;
  /** Bits of those bytes (big-endian) that belong to the field; absent when it is all of them. */
  mask?: number;
  value: FieldValue;
  /** The value in words, e.g. `RC RDMA WRITE First (0x06)`. */
  text: string;
  /** Purpose of the field, in one sentence. */
  doc: string;
}

/** Identifies a header kind. */
export type LayerId =
  | 'ethernet'
  | 'vlan'
  | 'sll'
  | 'sll2'
  | 'loopback'
  | 'erf'
  | 'lrh'
  | 'pause'
  | 'pppoe'
  | 'ppp'
  | 'mpls'
  | 'gre'
  | 'erspan'
  | 'vxlan'
  | 'geneve'
  | 'ipv4'
  | 'ipv6'
  | 'ipv6ext'
  | 'grh'
  | 'udp'
  | 'tcp'
  | 'bth'
  | 'rdeth'
  | 'xrceth'
  | 'deth'
  | 'reth'
  | 'aeth'
  | 'immdt'
  | 'ieth'
  | 'feth'
  | 'atomiceth'
  | 'atomicacketh'
  | 'mad'
  | 'cm'
  | 'ipcm'
  | 'payload'
  | 'pad'
  | 'icrc'
  | 'trailer';

/** A header (or the payload) of a packet. */
export interface Layer {
  id: LayerId;
  /** Wireshark's protocol or subtree name, e.g. `infiniband.bth`. */
  name: string;
  /** e.g. `Base Transport Header`. */
  title: string;
  offset: number;
  length: number;
  fields: Field[];
}

/** Reason and place at which the decoding of a packet stopped. */
export interface DecodeError {
  /** Byte of the packet at which decoding stopped. */
  offset: number;
  /** The header that was being read. */
  layer: LayerId | 'packet';
  message: string;
}

/** Broad class of a packet: one color, one icon. */
export type PacketKind =
  | 'send'
  | 'write'
  | 'read-request'
  | 'read-response'
  | 'atomic'
  | 'atomic-ack'
  | 'ack'
  | 'nak'
  | 'rnr'
  | 'cnp'
  | 'cm'
  | 'flush'
  | 'other'
  | 'malformed';

export type MessageKind =
  | 'SEND'
  | 'SEND with immediate'
  | 'SEND with invalidate'
  | 'RDMA WRITE'
  | 'RDMA WRITE with immediate'
  | 'RDMA READ'
  | 'Compare Swap'
  | 'Fetch Add'
  | 'ATOMIC WRITE'
  | 'FLUSH'
  | 'Datagram'
  | 'CM';

/** The columns of a packet list; cheap to compute for a hundred thousand packets. */
export interface PacketSummary {
  kind: PacketKind;
  /** `RoCEv2`, `RoCEv1`, `TCP`, `UDP`, `ARP`, … */
  protocol: string;
  /** Source and destination IP address (MAC address where there is no IP header; '' if unknown). */
  src: string;
  dst: string;
  srcPort?: number;
  dstPort?: number;
  /** BTH opcode, 8 bits. Present on every RoCE packet, as are destQp, psn and ackReq. */
  opcode?: number;
  destQp?: number;
  /** Sender's QP if the packet contains it (DETH). RC and UC packets do not. */
  srcQp?: number;
  psn?: number;
  ackReq?: boolean;
  solicited?: boolean;
  /** AETH. */
  syndrome?: number;
  msn?: number;
  /** RETH or AtomicETH. */
  va?: bigint;
  rkey?: number;
  dmaLength?: number;
  /** Immediate data, host order. */
  imm?: number;
  /** ECN bits of the IP header (3 = congestion experienced). */
  ecn?: number;
  /** CM message name, e.g. `ConnectRequest`. */
  cm?: string;
  /** RoCE payload without pad and ICRC (or the payload of the last header known), as it was sent. */
  payloadOffset: number;
  payloadLength: number;
  /**
   * True if the capture holds only the first part of the packet, the BTH at least. Not a fault of the packet, though
   * `error` is set.
   */
  cut?: true;
  /** Text for the Info column, one line. */
  info: string;
  error?: DecodeError;
}

/**
 * Result of an ICRC check.
 * - `ok`: agrees with the header as captured.
 * - `ok-other-id`: IPv4 only; agrees if the IP identification was `id` when the sender computed the ICRC. The kernel
 *   fills that field in after a user-space sender has computed the ICRC.
 * - `bad`: does not agree.
 * - `unchecked`: the ICRC cannot be checked; `reason` says why.
 */
export interface IcrcCheck {
  status: 'ok' | 'ok-other-id' | 'bad' | 'unchecked';
  /** The stored and the computed ICRC in Wireshark's form: the four bytes in their order on the wire. */
  stored?: number;
  computed?: number;
  /** The IPv4 identification that explains the ICRC. */
  id?: number;
  reason?: string;
}

/** Options of decoding. */
export interface DecodeOptions {
  /** UDP ports that carry RoCEv2 besides 4791. */
  ports?: readonly number[];
  /** IPv4 identification the ICRC was computed on, when it is known to differ from the one captured. */
  ipIdHint?: number;
  /**
   * Upper bound (exclusive) of the identifications to accept besides the captured one and the hint.
   * Default 64, the most that one GSO send can produce. 65536 leaves a 16-bit check.
   */
  maxOtherId?: number;
  /** Set false to skip the ICRC. Default true. */
  icrc?: boolean;
}

/** A packet decoded to the last field. */
export interface DecodedPacket {
  linkType: number;
  /** Bytes captured. */
  length: number;
  summary: PacketSummary;
  layers: Layer[];
  /** Result of the ICRC check, only on RoCEv2 packets. */
  icrc?: IcrcCheck;
  error?: DecodeError;
}
