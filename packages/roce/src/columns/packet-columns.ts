import type { RecordCursor } from '../capture/cursor.js';
import type { PacketFacts } from '../diagnosis/facts.js';

/**
 * The packets of a capture as columns: 35 bytes per packet instead of an object of a thousand. Files of 4 GiB and more,
 * and packets of 64 KiB, take more.
 */
export interface PacketColumns {
  length: number;
  /** Offset of the packet in the file. */
  offset: Uint32Array | Float64Array;
  captured: Uint16Array | Uint32Array;
  original: Uint16Array | Uint32Array;
  /** Nanoseconds since the first packet. */
  t: Float64Array;
  linkType: Uint16Array;
  /** 0 unknown, 1 in, 2 out. */
  direction: Uint8Array;
  /** Bits of `Mark`. */
  marks: Uint16Array;
  /** BTH opcode; 255 on packets without a BTH. */
  opcode: Uint8Array;
  destQp: Uint32Array;
  psn: Uint32Array;
  /** AETH syndrome; 255 on packets without an AETH. */
  syndrome: Uint8Array;
  /** Indices into a list of addresses; 65,535 where there is none. */
  src: Uint16Array;
  dst: Uint16Array;
}

export const NONE = 0xff;

/** Columns that need larger elements. */
interface Wide {
  file: boolean;
  packets: boolean;
}

const make = (capacity: number, wide: Wide): PacketColumns => ({
  length: 0,
  offset: wide.file ? new Float64Array(capacity) : new Uint32Array(capacity),
  captured: wide.packets ? new Uint32Array(capacity) : new Uint16Array(capacity),
  original: wide.packets ? new Uint32Array(capacity) : new Uint16Array(capacity),
  t: new Float64Array(capacity),
  linkType: new Uint16Array(capacity),
  direction: new Uint8Array(capacity),
  marks: new Uint16Array(capacity),
  opcode: new Uint8Array(capacity),
  destQp: new Uint32Array(capacity),
  psn: new Uint32Array(capacity),
  syndrome: new Uint8Array(capacity),
  src: new Uint16Array(capacity),
  dst: new Uint16Array(capacity),
});

type Column = Exclude<PacketColumns[keyof PacketColumns], number>;

const each = (columns: PacketColumns): [keyof PacketColumns, Column][] =>
  (Object.entries(columns) as [keyof PacketColumns, Column | number][]).filter(
    (entry): entry is [keyof PacketColumns, Column] => typeof entry[1] !== 'number',
  );

/** The memory of the columns, to hand over to another thread. */
export const buffersOf = (columns: PacketColumns): ArrayBuffer[] =>
  each(columns).map(([, column]) => column.buffer as ArrayBuffer);

/** Columns under construction. The size is estimated from the part of the file read so far. */
export class ColumnsBuilder {
  #columns: PacketColumns;
  readonly #wide: Wide;

  constructor(readonly fileBytes: number) {
    this.#wide = { file: fileBytes > 0xffffffff, packets: false };
    this.#columns = make(4096, this.#wide);
  }

  add(record: RecordCursor, p: PacketFacts): void {
    const c = this.#columns;
    const i = c.length;
    if (i === c.offset.length) return this.#grown(this.#size(i, record.data)).add(record, p);
    if (record.original > 0xffff && !this.#wide.packets) {
      this.#wide.packets = true;
      return this.#grown(c.offset.length).add(record, p);
    }
    c.length = i + 1;
    c.offset[i] = record.data;
    c.captured[i] = record.captured;
    c.original[i] = record.original;
    c.t[i] = p.t;
    c.linkType[i] = record.linkType;
    c.direction[i] = record.direction === undefined ? 0 : record.direction === 'in' ? 1 : 2;
    c.marks[i] = p.marks;
    c.opcode[i] = p.opcode < 0 ? NONE : p.opcode;
    c.destQp[i] = p.destQp;
    c.psn[i] = p.psn;
    c.syndrome[i] = p.syndrome < 0 ? NONE : p.syndrome;
    c.src[i] = p.src;
    c.dst[i] = p.dst;
  }

  #size(packets: number, read: number): number {
    const all = Math.ceil(1.02 * packets * (this.fileBytes / read));
    return Math.min(Math.max(all, Math.ceil(1.25 * packets)), 4 * packets);
  }

  #grown(capacity: number): this {
    const next = make(capacity, this.#wide) as PacketColumns & Record<string, Column | number>;
    for (const [name, column] of each(this.#columns)) (next[name] as Column).set(column);
    next.length = this.#columns.length;
    this.#columns = next;
    return this;
  }

  /** Returns the columns at their final length. No packet may follow. */
  finish(): PacketColumns {
    const { length } = this.#columns;
    const done: PacketColumns & Record<string, Column | number> = { ...this.#columns };
    for (const [name, column] of each(this.#columns))
      (done as Record<string, unknown>)[name] = column.subarray(0, length);
    return done;
  }
}
