import { RecordCursor } from './cursor.js';
import { Corrupt, FileReader, MAX_PACKET } from './reader.js';
import type { ByteSource } from './reader.js';
import type { CaptureHead } from './types.js';

/** The magic number as its first four bytes would read in big-endian order. */
const MAGICS: Record<number, { littleEndian: boolean; ns: boolean }> = {
  0xa1b2c3d4: { littleEndian: false, ns: false },
  0xd4c3b2a1: { littleEndian: true, ns: false },
  0xa1b23c4d: { littleEndian: false, ns: true },
  0x4d3cb2a1: { littleEndian: true, ns: true },
};

export const isPcap = (magic: number): boolean => magic in MAGICS;

const HEADER = 24;
const RECORD_HEADER = 16;

/** Classic pcap (libpcap's savefile format, pcap-savefile(5)). Fills `capture`; throws Corrupt where it must stop. */
export class PcapCursor extends RecordCursor {
  readonly #limit: number;
  readonly #unit: number;
  #at = HEADER;
  #number = 0;

  constructor(bytes: Uint8Array | ByteSource, magic: number, capture: CaptureHead) {
    const { littleEndian, ns } = MAGICS[magic]!;
    const file = new FileReader(bytes, littleEndian);
    super(file);
    this.#limit = ns ? 1_000_000_000 : 1_000_000;
    this.#unit = ns ? 1 : 1000;
    capture.format = 'pcap';
    capture.littleEndian = littleEndian;
    if (file.length < HEADER)
      throw new Corrupt(
        file.length,
        `the file ends inside the pcap header (${file.length} of ${HEADER} bytes)`,
      );
    const major = file.u16(4);
    if (major !== 2) throw new Corrupt(4, `pcap version ${major} is not supported (2 is)`);
    // The upper bits of the link type show whether frames end with a check sequence.
    this.linkType = file.u32(20) & 0xffff;
    capture.interfaces.push({
      linkType: this.linkType,
      snapLength: file.u32(16),
      ticksPerSecond: ns ? 1_000_000_000n : 1_000_000n,
    });
  }

  next(): boolean {
    const file = this.file;
    const at = this.#at;
    if (at >= file.length) return false;
    const number = ++this.#number;
    if (file.length - at < RECORD_HEADER)
      throw new Corrupt(at, `the file ends inside the header of packet ${number}`);
    const part = file.u32(at + 4);
    const captured = file.u32(at + 8);
    const original = file.u32(at + 12);
    if (captured > MAX_PACKET)
      throw new Corrupt(at + 8, `packet ${number} claims ${captured} bytes; the file is damaged here`);
    if (part >= this.#limit)
      throw new Corrupt(at + 4, `packet ${number} has an impossible time (${part} parts of a second)`);
    const data = at + RECORD_HEADER;
    if (file.length - data < captured)
      throw new Corrupt(
        at,
        `the file ends inside packet ${number} (${file.length - data} of ${captured} bytes)`,
      );
    this.fileOffset = at;
    this.data = data;
    this.captured = captured;
    this.original = Math.max(original, captured);
    this.high = file.u32(at);
    this.low = part * this.#unit;
    this.#at = data + captured;
    return true;
  }

  /** Seconds and nanoseconds instead of ticks. */
  override get timeNs(): bigint {
    return BigInt(this.high) * 1_000_000_000n + BigInt(this.low);
  }
  protected override readonly highTicks = 1_000_000_000;
}
