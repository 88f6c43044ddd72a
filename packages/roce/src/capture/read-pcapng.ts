import { utf8Text } from '../base/bytes.js';
import type { CaptureHead, CaptureInterface } from './types.js';
import { RecordCursor } from './cursor.js';
import { Corrupt, FileReader, MAX_COMMENTS, MAX_INTERFACES, MAX_PACKET } from './reader.js';
import type { ByteSource } from './reader.js';

/** Block types (draft-ietf-opsawg-pcapng). */
export const Block = {
  SECTION: 0x0a0d0d0a,
  INTERFACE: 1,
  OLD_PACKET: 2,
  SIMPLE_PACKET: 3,
  ENHANCED_PACKET: 6,
} as const;

export const BYTE_ORDER_MAGIC = 0x1a2b3c4d;

/** Option codes. Numbers below 0x10 mean different things in different blocks. */
export const Option = {
  END: 0,
  COMMENT: 1,
  SECTION_APPLICATION: 4,
  IF_NAME: 2,
  IF_DESCRIPTION: 3,
  IF_SPEED: 8,
  IF_TSRESOL: 9,
  IF_TSOFFSET: 14,
  EPB_FLAGS: 2,
} as const;

interface Section {
  /** Index in capture.interfaces of the section's interface 0. */
  base: number;
  offsets: bigint[];
}

const padded = (n: number): number => (n + 3) & ~3;

/** Packets of a pcapng file. Fills `capture` on the way; throws Corrupt where it must stop. */
export class PcapngCursor extends RecordCursor {
  readonly #capture: CaptureHead;
  #section: Section | undefined;
  #at = 0;

  constructor(bytes: Uint8Array | ByteSource, capture: CaptureHead) {
    super(new FileReader(bytes, true));
    this.#capture = capture;
    capture.format = 'pcapng';
  }

  next(): boolean {
    const file = this.file;
    while (this.#at < file.length) {
      const at = this.#at;
      if (file.length - at < 12) throw new Corrupt(at, 'the file ends inside a block header');
      const isSection = file.u32(at) === Block.SECTION; // reads the same in both byte orders
      if (isSection) byteOrder(file, at, this.#capture);
      const type = file.u32(at);
      const length = file.u32(at + 4);
      if (length < 12 || length % 4 !== 0)
        throw new Corrupt(at + 4, `block length ${length} is not a multiple of 4 of at least 12`);
      if (length > file.length - at)
        throw new Corrupt(at, `the file ends inside a block (${file.length - at} of ${length} bytes)`);
      if (file.u32(at + length - 4) !== length)
        throw new Corrupt(
          at + length - 4,
          `block lengths disagree (${length} and ${file.u32(at + length - 4)})`,
        );
      const body = at + 8;
      const end = at + length - 4;
      let packet = false;
      if (isSection) {
        this.#section = { base: this.#capture.interfaces.length, offsets: [] };
        sectionHeader(file, body, end, this.#capture);
      } else {
        if (!this.#section) throw new Corrupt(at, 'a block comes before the first section header');
        packet = this.#block(type, at, body, end, this.#section);
      }
      this.#at = at + length;
      if (packet) return true;
    }
    return false;
  }

  /** Returns true if the block is a packet. */
  #block(type: number, at: number, body: number, end: number, section: Section): boolean {
    const file = this.file;
    switch (type) {
      case Block.INTERFACE:
        interfaceBlock(file, body, end, this.#capture, section);
        return false;
      case Block.ENHANCED_PACKET:
        need(body, end, 20, 'a packet block');
        this.#packet(at, body, file.u32(body), end, section);
        return true;
      case Block.OLD_PACKET:
        need(body, end, 20, 'a packet block');
        this.#packet(at, body, file.u16(body), end, section);
        return true;
      case Block.SIMPLE_PACKET:
        this.#simplePacket(at, body, end, section);
        return true;
      default: // name resolution, statistics, keys, custom blocks: nothing that a packet view needs
        return false;
    }
  }

  #packet(at: number, body: number, interfaceInSection: number, end: number, section: Section): void {
    const file = this.file;
    const data = body + 20;
    const found = this.#capture.interfaces[section.base + interfaceInSection];
    if (!found || interfaceInSection >= section.offsets.length)
      throw new Corrupt(
        body,
        `a packet names interface ${interfaceInSection}, which the file does not describe`,
      );
    const captured = file.u32(body + 12);
    if (captured > MAX_PACKET || captured > end - data)
      throw new Corrupt(body + 12, `a packet of ${captured} bytes does not fit in its block`);
    this.fileOffset = at;
    this.data = data;
    this.captured = captured;
    this.original = Math.max(file.u32(body + 16), captured);
    this.linkType = found.linkType;
    this.interfaceId = section.base + interfaceInSection;
    this.bitsPerSecond = found.bitsPerSecond;
    this.high = file.u32(body + 4);
    this.low = file.u32(body + 8);
    this.ticksPerSecond = found.ticksPerSecond;
    this.offsetNs = section.offsets[interfaceInSection]!;
    this.direction = this.comments = undefined;
    const options = data + padded(captured);
    if (end - options >= 4) this.#packetOptions(options, end);
  }

  #packetOptions(from: number, end: number): void {
    const file = this.file;
    options(file, from, end, (code, at, to) => {
      if (code === Option.COMMENT) addComment((this.comments ??= []), file, at, to);
      else if (code === Option.EPB_FLAGS && to - at >= 4) {
        const direction = file.u32(at) & 3;
        if (direction === 1) this.direction = 'in';
        else if (direction === 2) this.direction = 'out';
      }
    });
  }

  /** Reads a simple packet block. The block has no time, so the time of the previous packet remains. */
  #simplePacket(at: number, body: number, end: number, section: Section): void {
    need(body, end, 4, 'a simple packet block');
    const found = this.#capture.interfaces[section.base];
    if (!found || section.offsets.length === 0)
      throw new Corrupt(at, 'a simple packet comes before the first interface');
    const original = this.file.u32(body);
    this.fileOffset = at;
    this.data = body + 4;
    this.captured = Math.min(original, end - (body + 4), found.snapLength || Infinity);
    this.original = original;
    this.linkType = found.linkType;
    this.interfaceId = section.base;
    this.bitsPerSecond = found.bitsPerSecond;
    this.direction = this.comments = undefined;
  }
}

function byteOrder(file: FileReader, at: number, capture: CaptureHead): void {
  file.littleEndian = true;
  if (file.u32(at + 8) !== BYTE_ORDER_MAGIC) {
    file.littleEndian = false;
    if (file.u32(at + 8) !== BYTE_ORDER_MAGIC)
      throw new Corrupt(at + 8, 'the byte-order magic of the section is wrong');
  }
  capture.littleEndian = file.littleEndian;
}

function need(at: number, end: number, bytes: number, what: string): void {
  if (end - at < bytes) throw new Corrupt(at, `${what} is too short (${end - at} of ${bytes} bytes)`);
}

function sectionHeader(file: FileReader, body: number, end: number, capture: CaptureHead): void {
  need(body, end, 16, 'a section header');
  const major = file.u16(body + 4);
  if (major !== 1) throw new Corrupt(body + 4, `pcapng version ${major} is not supported (1 is)`);
  options(file, body + 16, end, (code, from, to) => {
    if (code === Option.COMMENT) addComment(capture.comments, file, from, to);
    if (code === Option.SECTION_APPLICATION) capture.application = text(file, from, to);
  });
}

function interfaceBlock(
  file: FileReader,
  body: number,
  end: number,
  capture: CaptureHead,
  section: Section,
): void {
  need(body, end, 8, 'an interface block');
  if (capture.interfaces.length === MAX_INTERFACES)
    throw new Corrupt(body, `the file describes more than ${MAX_INTERFACES} interfaces`);
  const found: CaptureInterface = {
    linkType: file.u16(body),
    snapLength: file.u32(body + 4),
    ticksPerSecond: 1_000_000n,
  };
  let offsetSeconds = 0n;
  options(file, body + 8, end, (code, from, to) => {
    if (code === Option.IF_NAME) found.name = text(file, from, to);
    else if (code === Option.IF_DESCRIPTION) found.description = text(file, from, to);
    else if (code === Option.IF_TSRESOL && to - from >= 1)
      found.ticksPerSecond = resolution(file.slice(from, from + 1)[0]!);
    else if (code === Option.IF_SPEED && to - from >= 8) {
      const speed = Number(signed64(file, from));
      if (speed > 0) found.bitsPerSecond = speed;
    } else if (code === Option.IF_TSOFFSET && to - from >= 8) offsetSeconds = signed64(file, from);
  });
  capture.interfaces.push(found);
  section.offsets.push(offsetSeconds * 1_000_000_000n);
}

/** Beyond 10^-18 ticks cannot carry a date: then all times are near 1970, as other readers have them. */
function resolution(coded: number): bigint {
  return (coded & 0x80 ? 2n : 10n) ** BigInt(coded & 0x7f);
}

function signed64(file: FileReader, at: number): bigint {
  const [low, high] = file.littleEndian ? [at, at + 4] : [at + 4, at];
  return BigInt.asIntN(64, (BigInt(file.u32(high)) << 32n) | BigInt(file.u32(low)));
}

/** Calls `found` for each option between `at` and `end`. */
function options(
  file: FileReader,
  at: number,
  end: number,
  found: (code: number, from: number, to: number) => void,
): void {
  while (end - at >= 4) {
    const code = file.u16(at);
    const length = file.u16(at + 2);
    if (code === Option.END) return;
    if (length > end - (at + 4))
      throw new Corrupt(at, `option ${code} of ${length} bytes goes beyond its block`);
    found(code, at + 4, at + 4 + length);
    at += 4 + padded(length);
  }
}

function addComment(comments: string[], file: FileReader, from: number, to: number): void {
  if (comments.length < MAX_COMMENTS) comments.push(text(file, from, to));
}

function text(file: FileReader, from: number, to: number): string {
  return utf8Text(file.slice(from, to));
}
