import { RecordCursor } from './cursor.js';
import { Corrupt, FileReader, MAX_PACKET } from './reader.js';
import type { ByteSource } from './reader.js';
import type { CaptureHead } from './types.js';

const US_BIG = 0xa1b2c3d4;
const US_LITTLE = 0xd4c3b2a1;
const NS_BIG = 0xa1b23c4d;
const NS_LITTLE = 0x4d3cb2a1;
/** "Modified" pcap of patched libpcaps: each record names its interface, protocol and packet type as well. */
const MODIFIED_BIG = 0xa1b2cd34;
const MODIFIED_LITTLE = 0x34cdb2a1;

/** The magic number as its first four bytes would read in big-endian order. */
const MAGICS: Record<number, { littleEndian: boolean; ns: boolean; modified: boolean }> = {
  [US_BIG]: { littleEndian: false, ns: false, modified: false },
  [US_LITTLE]: { littleEndian: true, ns: false, modified: false },
  [NS_BIG]: { littleEndian: false, ns: true, modified: false },
  [NS_LITTLE]: { littleEndian: true, ns: true, modified: false },
  [MODIFIED_BIG]: { littleEndian: false, ns: false, modified: true },
  [MODIFIED_LITTLE]: { littleEndian: true, ns: false, modified: true },
};

/** Runs for every packet, so it compares constants and looks nothing up. */
export const isPcap = (magic: number): boolean =>
  magic === US_BIG ||
  magic === US_LITTLE ||
  magic === NS_BIG ||
  magic === NS_LITTLE ||
  magic === MODIFIED_BIG ||
  magic === MODIFIED_LITTLE;

const HEADER = 24;
/** Version 2.4, major and minor added. */
const PCAP_VERSION = 6;
const RECORD_HEADER = 16;
const MODIFIED_RECORD_HEADER = 24;

/** Classic pcap (libpcap's savefile format, pcap-savefile(5)). Fills `capture`; throws Corrupt where it must stop. */
export class PcapCursor extends RecordCursor {
  readonly #limit: number;
  readonly #unit: number;
  readonly #header: number;
  #at = HEADER;
  #number = 0;
  /** Offset of bytes that are not all zero: the file cannot end in zeros from before it. */
  #notZeros = 0;

  constructor(bytes: Uint8Array | ByteSource, magic: number, capture: CaptureHead) {
    const { littleEndian, ns, modified } = MAGICS[magic]!;
    const file = new FileReader(bytes, littleEndian);
    super(file);
    this.#limit = ns ? 1_000_000_000 : 1_000_000;
    this.#unit = ns ? 1 : 1000;
    this.#header = modified ? MODIFIED_RECORD_HEADER : RECORD_HEADER;
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
    if (file.length - at < this.#header)
      throw new Corrupt(at, `the file ends inside the header of packet ${number}`);
    const seconds = file.u32(at);
    if (seconds === 0 || isPcap(seconds)) this.#otherThanPackets(at, seconds);
    const part = file.u32(at + 4);
    const captured = file.u32(at + 8);
    const original = file.u32(at + 12);
    if (captured > MAX_PACKET)
      throw new Corrupt(at + 8, `packet ${number} claims ${captured} bytes; the file is damaged here`);
    if (part >= this.#limit)
      throw new Corrupt(at + 4, `packet ${number} has an impossible time (${part} parts of a second)`);
    const data = at + this.#header;
    if (file.length - data < captured)
      throw new Corrupt(
        at,
        `the file ends inside packet ${number} (${file.length - data} of ${captured} bytes)`,
      );
    this.fileOffset = at;
    this.data = data;
    this.captured = captured;
    this.original = Math.max(original, captured);
    this.high = seconds;
    this.low = part * this.#unit;
    this.#at = data + captured;
    return true;
  }

  /** Throws if other data follows, which would read as packets without length or as packets of the year 2055. */
  #otherThanPackets(at: number, seconds: number): void {
    const { file } = this;
    if (isPcap(seconds) && file.u16(at + 4) + file.u16(at + 6) === PCAP_VERSION)
      throw new Corrupt(
        at,
        'another capture file begins here: the files were joined with cat; join them with mergecap',
      );
    if (seconds === 0 && at >= this.#notZeros && this.#endsInZeros(at))
      throw new Corrupt(
        at,
        `the file ends in ${file.length - at} zeros: its end was never written, as after a crash`,
      );
  }

  #endsInZeros(from: number): boolean {
    const { file } = this;
    let at = from;
    while (at + 4 <= file.length && file.u32(at) === 0) at += 4;
    // Later calls skip the bytes before this offset.
    this.#notZeros = at;
    return at + 4 > file.length && file.slice(at, file.length).every((byte) => byte === 0);
  }

  /** Seconds and nanoseconds instead of ticks. */
  override get timeNs(): bigint {
    return BigInt(this.high) * 1_000_000_000n + BigInt(this.low);
  }
  protected override readonly highTicks = 1_000_000_000;
}
