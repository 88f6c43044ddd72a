import { closeSync, openSync, writeSync } from 'node:fs';
import { decodeHeader, decodePackets, PACKET_FLAGS, type RunRecord } from '@verbslab/protocol';
import { LinkType, PcapngWriter } from '@verbslab/roce';
import { VERSION } from '../config/version.js';

const FLAG_TEXT: readonly (readonly [number, string])[] = [
  [PACKET_FLAGS.badIcrc, 'received with a wrong ICRC, dropped by the port'],
  [PACKET_FLAGS.faultDrop, 'dropped by the fault injector: it never reached the wire'],
  [PACKET_FLAGS.faultDuplicate, 'a copy made by the fault injector'],
  [PACKET_FLAGS.faultLate, 'held back by the fault injector'],
  [PACKET_FLAGS.faultBad, 'corrupted by the fault injector'],
];

/**
 * Writes the packets of a run to a pcapng file as they come: one interface an endpoint, one record a RoCE packet,
 * from its IP header on. The file is made with the first packet, and is whole after every frame.
 */
export class CaptureWriter {
  readonly #path: string;
  readonly #epochNs: bigint;
  readonly #roles: readonly string[];
  #writer: PcapngWriter | null = null;
  #fd: number | null = null;
  #failed: Error | null = null;
  #summary: { packets: number; bytes: number; dropped: number } | null = null;

  /** `createdAt`: when the run’s clock read 0, in milliseconds since 1970. */
  constructor(path: string, createdAt: number, roles: readonly string[]) {
    this.#path = path;
    this.#epochNs = BigInt(createdAt) * 1_000_000n;
    this.#roles = roles;
  }

  get summary(): RunRecord['capture'] {
    return this.#summary;
  }

  /** Takes a frame of an endpoint; all but packet frames are none of its business. Throws FrameError. */
  add(frame: Uint8Array, endpoint: string): void {
    const header = decodeHeader(frame);
    if (header.kind !== 'packets' || this.#failed) return;
    const interfaceId = Math.max(0, this.#roles.indexOf(endpoint));
    const packets = decodePackets(frame);
    const writer = (this.#writer ??= new PcapngWriter(
      this.#roles.map((name) => ({ linkType: LinkType.RAW, name })),
      { application: `Verbs Lab ${VERSION}` },
    ));
    const blocks = packets.map((packet) =>
      writer.record({
        timeNs: this.#epochNs + BigInt(Math.round(packet.t)),
        data: packet.bytes,
        originalLength: packet.origLen,
        interfaceId,
        direction: packet.direction === 'sent' ? 'out' : 'in',
        comments: FLAG_TEXT.filter(([flag]) => (packet.flags & flag) !== 0).map(([, text]) => text),
      }),
    );
    const summary = (this.#summary ??= { packets: 0, bytes: 0, dropped: 0 });
    summary.packets += packets.length;
    summary.bytes += packets.reduce((sum, packet) => sum + packet.bytes.length, 0);
    summary.dropped += header.dropped;
    try {
      if (this.#fd === null) {
        this.#fd = openSync(this.#path, 'wx', 0o600);
        blocks.unshift(writer.header());
      }
      writeAll(this.#fd, blocks);
    } catch (error) {
      this.#failed = error as Error;
    }
  }

  /** Throws what went wrong with the file, such as a full disk. */
  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
    if (this.#failed) throw this.#failed;
  }
}

function writeAll(fd: number, pieces: Uint8Array[]): void {
  let rest = Buffer.concat(pieces);
  while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest));
}
