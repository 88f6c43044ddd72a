import { utf8Bytes } from '../base/bytes.js';
import type { CaptureInterface, CaptureRecord } from './types.js';
import { Block, BYTE_ORDER_MAGIC, Option } from './read-pcapng.js';

/** The parts of a packet that the writers use. Defaults: interface 0, the length of the data, no comment. */
export type RecordToWrite = Pick<CaptureRecord, 'timeNs' | 'data'> &
  Partial<Pick<CaptureRecord, 'originalLength' | 'interfaceId' | 'comments' | 'direction'>>;

export type InterfaceToWrite = Pick<CaptureInterface, 'linkType'> &
  Partial<Pick<CaptureInterface, 'snapLength' | 'name' | 'description'>> & {
    /** Speed of the link. */
    bitsPerSecond?: bigint;
  };

/** Little-endian bytes that grow. */
class Builder {
  private buffer: Uint8Array;
  private view: DataView;
  length = 0;

  constructor(capacity = 256) {
    this.buffer = new Uint8Array(capacity);
    this.view = new DataView(this.buffer.buffer);
  }

  private room(bytes: number): number {
    const at = this.length;
    this.length += bytes;
    if (this.length > this.buffer.length) {
      const larger = new Uint8Array(Math.max(this.length, this.buffer.length * 2));
      larger.set(this.buffer.subarray(0, at));
      this.buffer = larger;
      this.view = new DataView(larger.buffer);
    }
    return at;
  }

  bytes(b: Uint8Array): this {
    const at = this.room(b.length);
    this.buffer.set(b, at);
    return this;
  }
  u16(v: number): this {
    const at = this.room(2);
    this.view.setUint16(at, v, true);
    return this;
  }
  u32(v: number): this {
    const at = this.room(4);
    this.view.setUint32(at, v, true);
    return this;
  }
  /** Pads with zeros to the next multiple of four. */
  pad(): this {
    const at = this.length;
    const n = -at & 3;
    this.room(n);
    this.buffer.fill(0, at, at + n);
    return this;
  }
  option(code: number, value: Uint8Array): this {
    if (value.length > 0xffff)
      throw new RangeError(`an option holds at most 65535 bytes, not ${value.length}`);
    return this.u16(code).u16(value.length).bytes(value).pad();
  }
  text(code: number, value: string | undefined): this {
    return value === undefined ? this : this.option(code, utf8Bytes(value));
  }
  endOfOptions(): this {
    return this.u16(Option.END).u16(0);
  }
  /** Writes a block: `fill` writes the body, and the two length fields are set afterward. */
  block(type: number, fill: (b: this) => void): this {
    const start = this.length;
    this.u32(type).u32(0);
    fill(this);
    const length = this.pad().length + 4 - start;
    this.view.setUint32(start + 4, length, true);
    return this.u32(length);
  }
  result(): Uint8Array {
    return this.buffer.slice(0, this.length);
  }
}

/**
 * Writes pcapng piece by piece, so that a long capture needs no buffer of its own length: concatenate `header` and the
 * result of `record` for each packet. Times are written in nanoseconds (if_tsresol 9).
 */
export class PcapngWriter {
  constructor(
    private readonly interfaces: InterfaceToWrite[],
    private readonly about: { application?: string; comments?: string[] } = {},
  ) {
    if (interfaces.length === 0) throw new RangeError('a capture needs at least one interface');
  }

  header(): Uint8Array {
    return this.putHeader(new Builder()).result();
  }

  record(r: RecordToWrite): Uint8Array {
    return this.putRecord(new Builder(r.data.length + 64), r).result();
  }

  /** The whole file. */
  all(records: Iterable<RecordToWrite>): Uint8Array {
    const list = [...records];
    const size = list.reduce((n, r) => n + r.data.length + 64, 1 << 12);
    const out = this.putHeader(new Builder(size));
    for (const r of list) this.putRecord(out, r);
    return out.result();
  }

  private putHeader(out: Builder): Builder {
    out.block(Block.SECTION, (b) => {
      b.u32(BYTE_ORDER_MAGIC).u16(1).u16(0);
      b.u32(0xffffffff).u32(0xffffffff); // section length not stated
      for (const comment of this.about.comments ?? []) b.text(Option.COMMENT, comment);
      b.text(Option.SECTION_APPLICATION, this.about.application).endOfOptions();
    });
    for (const i of this.interfaces)
      out.block(Block.INTERFACE, (b) => {
        b.u16(i.linkType)
          .u16(0)
          .u32(i.snapLength ?? 0);
        b.text(Option.IF_NAME, i.name).text(Option.IF_DESCRIPTION, i.description);
        if (i.bitsPerSecond !== undefined)
          b.option(Option.IF_SPEED, new Uint8Array(BigUint64Array.of(i.bitsPerSecond).buffer));
        b.option(Option.IF_TSRESOL, Uint8Array.of(9)).endOfOptions();
      });
    return out;
  }

  private putRecord(out: Builder, r: RecordToWrite): Builder {
    const id = r.interfaceId ?? 0;
    if (id < 0 || id >= this.interfaces.length) throw new RangeError(`interface ${id} was not declared`);
    if (r.timeNs < 0n || r.timeNs >> 64n !== 0n) throw new RangeError(`time ${r.timeNs} ns does not fit`);
    return out.block(Block.ENHANCED_PACKET, (b) => {
      b.u32(id)
        .u32(Number(r.timeNs >> 32n))
        .u32(Number(r.timeNs & 0xffffffffn));
      b.u32(r.data.length)
        .u32(r.originalLength ?? r.data.length)
        .bytes(r.data)
        .pad();
      if ((r.comments?.length ?? 0) === 0 && r.direction === undefined) return;
      for (const comment of r.comments ?? []) b.text(Option.COMMENT, comment);
      if (r.direction) b.option(Option.EPB_FLAGS, Uint8Array.of(r.direction === 'in' ? 1 : 2, 0, 0, 0));
      b.endOfOptions();
    });
  }
}

/** A whole pcapng file. */
export function writePcapng(
  interfaces: InterfaceToWrite[],
  records: Iterable<RecordToWrite>,
  about: { application?: string; comments?: string[] } = {},
): Uint8Array {
  return new PcapngWriter(interfaces, about).all(records);
}

/** A whole classic pcap file with nanosecond times. It has one link type and no comments. */
export function writePcap(
  linkType: number,
  records: Iterable<RecordToWrite>,
  snapLength = 262144,
): Uint8Array {
  const out = new Builder(1 << 16);
  out.u32(0xa1b23c4d).u16(2).u16(4).u32(0).u32(0).u32(snapLength).u32(linkType);
  for (const r of records) {
    const seconds = r.timeNs / 1_000_000_000n;
    if (r.timeNs < 0n || seconds > 0xffffffffn)
      throw new RangeError(`time ${r.timeNs} ns does not fit in pcap`);
    out.u32(Number(seconds)).u32(Number(r.timeNs % 1_000_000_000n));
    out
      .u32(r.data.length)
      .u32(r.originalLength ?? r.data.length)
      .bytes(r.data);
  }
  return out.result();
}
