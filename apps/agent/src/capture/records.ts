/**
 * The output of `vlcapture`: packets and marks (native/capture/record.h), in host byte order, which is little-endian
 * everywhere.
 */

const HEADER = 24;
const MARK = 1;

/** A packet as it passed the interface, from its IP header on. */
export interface CapturedPacket {
  /** CLOCK_MONOTONIC. */
  timeNs: bigint;
  /** Counts the packets of the capture, from 0. */
  seq: number;
  /** Bytes on the wire; more than `bytes` holds when it was cut. */
  originalLength: number;
  bytes: Uint8Array;
}

/** A mark: everything that passed the interface before it has been written. Counts since the start. */
export interface Mark {
  /** Packets that the filter let through. */
  received: number;
  /** Received packets that were lost because they were not read in time. */
  dropped: number;
}

export interface RecordSink {
  packet(packet: CapturedPacket): void;
  mark(mark: Mark): void;
}

/** Cuts a stream of bytes into records. */
export class RecordReader {
  readonly #sink: RecordSink;
  #rest: Buffer = Buffer.alloc(0);

  constructor(sink: RecordSink) {
    this.#sink = sink;
  }

  push(chunk: Buffer): void {
    const all = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    while (at + HEADER <= all.length) {
      const captured = all.readUInt32LE(at + 16);
      const next = at + HEADER + ((captured + 7) & ~7);
      if (next > all.length) break;
      const body = all.subarray(at + HEADER, at + HEADER + captured);
      if (all[at + 20] === MARK)
        this.#sink.mark({
          received: Number(body.readBigUInt64LE(0)),
          dropped: Number(body.readBigUInt64LE(8)),
        });
      else
        this.#sink.packet({
          timeNs: all.readBigUInt64LE(at),
          seq: all.readUInt32LE(at + 8),
          originalLength: all.readUInt32LE(at + 12),
          bytes: body,
        });
      at = next;
    }
    this.#rest = all.subarray(at);
  }
}
