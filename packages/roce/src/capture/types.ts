/** Contents of a capture file. */

export interface CaptureInterface {
  linkType: number;
  snapLength: number;
  name?: string;
  description?: string;
  /** Ticks per second of its timestamps. */
  ticksPerSecond: bigint;
  /** Speed of the link, where the file states it. */
  bitsPerSecond?: number;
}

export interface CaptureRecord {
  /** Nanoseconds since the epoch (1970-01-01 UTC). */
  timeNs: bigint;
  linkType: number;
  /** Index into `Capture.interfaces`. */
  interfaceId: number;
  /** A view into the file, not a copy. */
  data: Uint8Array;
  /** Length on the wire; larger than `data.length` when the capture cut the packet. */
  originalLength: number;
  comments?: string[];
  direction?: 'in' | 'out';
  /** Offset in the file of the packet's block or record header. */
  fileOffset: number;
}

export interface CaptureError {
  /** Byte of the file. */
  offset: number;
  message: string;
}

/** A capture file without its packets. After an error, everything that was read before it is still here. */
export interface CaptureHead {
  format: 'pcap' | 'pcapng' | 'unknown';
  littleEndian: boolean;
  interfaces: CaptureInterface[];
  /** Comments of the file itself (pcapng). */
  comments: string[];
  application?: string;
  error?: CaptureError;
}

export interface Capture extends CaptureHead {
  records: CaptureRecord[];
  /** Packets beyond the limit of the reader: in the file, and not in `records`. */
  omitted: number;
}
