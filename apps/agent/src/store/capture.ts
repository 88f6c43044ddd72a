import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { decodeHeader, decodePackets, PACKET_FLAGS, type RunRecord } from '@verbslab/protocol';
import { LinkType, PcapngWriter } from '@verbslab/roce';
import { VERSION } from '../config/version.js';
import { sortingCapture } from './capture-order.js';

const FLAG_TEXT: readonly (readonly [number, string])[] = [
  [PACKET_FLAGS.badIcrc, 'received with a wrong ICRC, dropped by the port'],
  [PACKET_FLAGS.faultDrop, 'dropped by the fault injector: it never reached the wire'],
  [PACKET_FLAGS.faultDuplicate, 'a copy made by the fault injector'],
  [PACKET_FLAGS.faultLate, 'held back by the fault injector'],
  [PACKET_FLAGS.faultBad, 'corrupted by the fault injector'],
  [PACKET_FLAGS.faultMark, 'marked as congested by the fault injector'],
];

/**
 * Writes the packets of a run to a pcapng file as they come: an interface per endpoint, a record per RoCE packet, from
 * its IP header on. The file is made with the first packet, and is complete after every frame. Its packets are in the
 * order of their arrival until `finish`.
 */
export class CaptureWriter {
  readonly #path: string;
  readonly #epochNs: bigint;
  readonly #roles: readonly string[];
  #writer: PcapngWriter | null = null;
  #fd: number | null = null;
  #failed: Error | null = null;
  readonly #limit: number;
  #fileBytes = 0;
  #lastNs = 0n;
  #inOrder = true;
  #summary: { packets: number; bytes: number; dropped: number } | null = null;

  /** `createdAt`: when the run’s clock read 0, in milliseconds since 1970. `limit`: bytes of the file. */
  constructor(path: string, createdAt: number, roles: readonly string[], limit = Infinity) {
    this.#path = path;
    this.#limit = limit;
    this.#epochNs = BigInt(createdAt) * 1_000_000n;
    this.#roles = roles;
  }

  get summary(): RunRecord['capture'] {
    return this.#summary;
  }

  /** Error of the file, such as a full disk; nothing is written after it. */
  get failure(): Error | null {
    return this.#failed;
  }

  /**
   * Takes a frame of an endpoint; all but packet frames are ignored. Returns the bytes by which the file has grown.
   * Throws FrameError.
   */
  add(frame: Uint8Array, endpoint: string): number {
    const header = decodeHeader(frame);
    if (header.kind !== 'packets' || this.#failed) return 0;
    const interfaceId = Math.max(0, this.#roles.indexOf(endpoint));
    const packets = decodePackets(frame);
    const writer = (this.#writer ??= new PcapngWriter(
      this.#roles.map((name) => ({ linkType: LinkType.RAW, name })),
      { application: `Verbs Lab ${VERSION}` },
    ));
    const blocks = packets.map((packet) => {
      const timeNs = this.#epochNs + BigInt(Math.round(packet.t));
      if (timeNs < this.#lastNs) this.#inOrder = false;
      this.#lastNs = timeNs;
      return writer.record({
        timeNs,
        data: packet.bytes,
        originalLength: packet.origLen,
        interfaceId,
        direction: packet.direction === 'sent' ? 'out' : 'in',
        comments: FLAG_TEXT.filter(([flag]) => (packet.flags & flag) !== 0).map(([, text]) => text),
      });
    });
    const summary = (this.#summary ??= { packets: 0, bytes: 0, dropped: 0 });
    summary.dropped += header.dropped;
    if (this.#fd === null) blocks.unshift(writer.header());
    const piece = Buffer.concat(blocks);
    if (this.#fileBytes + piece.length > this.#limit) {
      summary.dropped += packets.length;
      return 0;
    }
    try {
      this.#fd ??= openSync(this.#path, 'wx', 0o600);
      writeAll(this.#fd, piece);
    } catch (error) {
      this.#failed = error as Error;
      summary.dropped += packets.length;
      // A partial block would make readers call the file damaged.
      if (this.#fd !== null) ftruncateSync(this.#fd, this.#fileBytes);
      return 0;
    }
    this.#fileBytes += piece.length;
    summary.packets += packets.length;
    summary.bytes += packets.reduce((sum, packet) => sum + packet.bytes.length, 0);
    return piece.length;
  }

  /**
   * Ends the capture and sorts it. Throws an error of the file system if the packets could not be sorted; they stay as
   * they are then.
   */
  finish(): void {
    for (const _ of this.finishing());
  }

  /** Ends the capture and sorts it. Yields so that others can have a turn. */
  *finishing(): Generator<void> {
    this.close();
    if (!this.#inOrder && this.#fileBytes > 0 && !this.#failed) yield* sortingCapture(this.#path);
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }
}

function writeAll(fd: number, piece: Buffer): void {
  let rest = piece;
  while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest));
}
