import { utf8Text } from '../bytes.js';
import type { CaptureHead, CaptureInterface, CaptureRecord } from '../types.js';
import { Corrupt, FileReader, MAX_COMMENTS, MAX_INTERFACES, MAX_PACKET, ticksToNs } from './reader.js';

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
  IF_TSRESOL: 9,
  IF_TSOFFSET: 14,
  EPB_FLAGS: 2,
} as const;

interface Section {
  /** Index in capture.interfaces of the section's interface 0. */
  base: number;
  offsets: bigint[];
  /** Of the packet before: one block type has no time of its own. */
  lastNs: bigint;
}

const padded = (n: number): number => (n + 3) & ~3;

/** Fills `capture` as it goes; throws Corrupt where it must stop. */
export function* readPcapng(bytes: Uint8Array, capture: CaptureHead): Generator<CaptureRecord, void> {
  const file = new FileReader(bytes, true);
  capture.format = 'pcapng';
  let at = 0;
  let section: Section | undefined;
  while (at < file.length) {
    if (file.length - at < 12) throw new Corrupt(at, 'the file ends inside a block header');
    const isSection = file.u32(at) === Block.SECTION; // reads the same in both byte orders
    if (isSection) byteOrder(file, at, capture);
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
    if (isSection) {
      section = { base: capture.interfaces.length, offsets: [], lastNs: section?.lastNs ?? 0n };
      sectionHeader(file, body, end, capture);
    } else {
      if (!section) throw new Corrupt(at, 'a block comes before the first section header');
      const record = block(file, type, at, body, end, capture, section);
      if (record) {
        section.lastNs = record.timeNs;
        yield record;
      }
    }
    at += length;
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

function block(
  file: FileReader,
  type: number,
  at: number,
  body: number,
  end: number,
  capture: CaptureHead,
  section: Section,
): CaptureRecord | null {
  switch (type) {
    case Block.INTERFACE:
      interfaceBlock(file, body, end, capture, section);
      return null;
    case Block.ENHANCED_PACKET:
      need(body, end, 20, 'a packet block');
      return packet(file, at, body, file.u32(body), body + 20, end, capture, section);
    case Block.OLD_PACKET:
      need(body, end, 20, 'a packet block');
      return packet(file, at, body, file.u16(body), body + 20, end, capture, section);
    case Block.SIMPLE_PACKET:
      return simplePacket(file, at, body, end, capture, section);
    default: // name resolution, statistics, keys, custom blocks: nothing that a packet view needs
      return null;
  }
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
      found.ticksPerSecond = resolution(file.bytes[from]!, from);
    else if (code === Option.IF_TSOFFSET && to - from >= 8) offsetSeconds = signed64(file, from);
  });
  capture.interfaces.push(found);
  section.offsets.push(offsetSeconds * 1_000_000_000n);
}

function resolution(coded: number, at: number): bigint {
  const exponent = coded & 0x7f;
  // 10^-18 and 2^-63 are finer than any clock; more would only be a way to make this slow.
  if (exponent > (coded & 0x80 ? 63 : 18))
    throw new Corrupt(at, `time resolution code ${coded} is out of range`);
  return (coded & 0x80 ? 2n : 10n) ** BigInt(exponent);
}

function signed64(file: FileReader, at: number): bigint {
  const [low, high] = file.littleEndian ? [at, at + 4] : [at + 4, at];
  return BigInt.asIntN(64, (BigInt(file.u32(high)) << 32n) | BigInt(file.u32(low)));
}

function packet(
  file: FileReader,
  at: number,
  body: number,
  interfaceInSection: number,
  data: number,
  end: number,
  capture: CaptureHead,
  section: Section,
): CaptureRecord {
  const found = capture.interfaces[section.base + interfaceInSection];
  if (!found || interfaceInSection >= section.offsets.length)
    throw new Corrupt(
      body,
      `a packet names interface ${interfaceInSection}, which the file does not describe`,
    );
  const captured = file.u32(body + 12);
  const original = file.u32(body + 16);
  if (captured > MAX_PACKET || captured > end - data)
    throw new Corrupt(body + 12, `a packet of ${captured} bytes does not fit in its block`);
  const ticks = (BigInt(file.u32(body + 4)) << 32n) | BigInt(file.u32(body + 8));
  const record: CaptureRecord = {
    timeNs: ticksToNs(ticks, found.ticksPerSecond) + section.offsets[interfaceInSection]!,
    linkType: found.linkType,
    interfaceId: section.base + interfaceInSection,
    data: file.bytes.subarray(data, data + captured),
    originalLength: Math.max(original, captured),
    fileOffset: at,
  };
  options(file, data + padded(captured), end, (code, from, to) => {
    if (code === Option.COMMENT) addComment((record.comments ??= []), file, from, to);
    else if (code === Option.EPB_FLAGS && to - from >= 4) {
      const direction = file.u32(from) & 3;
      if (direction === 1) record.direction = 'in';
      else if (direction === 2) record.direction = 'out';
    }
  });
  return record;
}

function simplePacket(
  file: FileReader,
  at: number,
  body: number,
  end: number,
  capture: CaptureHead,
  section: Section,
): CaptureRecord {
  need(body, end, 4, 'a simple packet block');
  const found = capture.interfaces[section.base];
  if (!found || section.offsets.length === 0)
    throw new Corrupt(at, 'a simple packet comes before the first interface');
  const original = file.u32(body);
  const captured = Math.min(original, end - (body + 4), found.snapLength || Infinity);
  return {
    timeNs: section.lastNs,
    linkType: found.linkType,
    interfaceId: section.base,
    data: file.bytes.subarray(body + 4, body + 4 + captured),
    originalLength: original,
    fileOffset: at,
  };
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
  return utf8Text(file.bytes.subarray(from, to));
}
