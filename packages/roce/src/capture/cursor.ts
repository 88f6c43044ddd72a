import type { CaptureRecord } from './types.js';
import { ticksToNs } from './reader.js';
import type { FileReader } from './reader.js';

/** Nanoseconds per tick, by ticks per second, for clocks that count in whole nanoseconds. */
const EXACT: ReadonlyMap<bigint, number> = new Map([
  [1_000_000_000n, 1],
  [1_000_000n, 1000],
]);

/**
 * The packets of a file, one after the other, in one object. No packet costs an object or a bigint, so millions of
 * packets per second can be read. `next` throws Corrupt where the file is damaged.
 */
export abstract class RecordCursor {
  /** Offsets in the file of the packet's header and of its bytes. */
  fileOffset = 0;
  data = 0;
  captured = 0;
  original = 0;
  linkType = 0;
  interfaceId = 0;
  bitsPerSecond: number | undefined = undefined;
  direction: 'in' | 'out' | undefined = undefined;
  comments: string[] | undefined = undefined;
  /** Time stamp: ticks in two halves, ticks per second, and an offset to add. */
  protected high = 0;
  protected low = 0;
  protected ticksPerSecond = 1_000_000_000n;
  protected offsetNs = 0n;
  /** Number of ticks that one unit of `high` counts. */
  protected readonly highTicks: number = 0x1_0000_0000;
  #first: { high: number; low: number; ticks: bigint; offset: bigint; ns: bigint; scale: number } | null =
    null;

  constructor(protected readonly file: FileReader) {}

  /** The bytes of the packet: a view into the file. */
  get packet(): Uint8Array {
    return this.file.slice(this.data, this.data + this.captured);
  }

  /** Goes to the next packet; false at the end. */
  abstract next(): boolean;

  /** Nanoseconds since the epoch. */
  get timeNs(): bigint {
    return ticksToNs((BigInt(this.high) << 32n) | BigInt(this.low), this.ticksPerSecond) + this.offsetNs;
  }

  /** Nanoseconds since the first packet for which this was asked. */
  sinceFirst(): number {
    const first = (this.#first ??= {
      high: this.high,
      low: this.low,
      ticks: this.ticksPerSecond,
      offset: this.offsetNs,
      ns: this.timeNs,
      scale: EXACT.get(this.ticksPerSecond) ?? 0,
    });
    if (first.scale === 0 || this.ticksPerSecond !== first.ticks || this.offsetNs !== first.offset)
      return Number(this.timeNs - first.ns);
    return ((this.high - first.high) * this.highTicks + (this.low - first.low)) * first.scale;
  }

  /** The packet as an object of its own. */
  record(): CaptureRecord {
    const { linkType, interfaceId, original, fileOffset, comments, direction } = this;
    return {
      timeNs: this.timeNs,
      linkType,
      interfaceId,
      data: this.packet,
      originalLength: original,
      fileOffset,
      ...(comments ? { comments } : {}),
      ...(direction ? { direction } : {}),
    };
  }
}
