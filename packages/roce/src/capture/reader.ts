import type { CaptureError } from '../types.js';

/** A bounds-checked cursor-less reader in the byte order of a file. */
export class FileReader {
  private readonly view: DataView;
  constructor(
    readonly bytes: Uint8Array,
    public littleEndian: boolean,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  get length(): number {
    return this.bytes.length;
  }
  u16(at: number): number {
    return this.view.getUint16(at, this.littleEndian);
  }
  u32(at: number): number {
    return this.view.getUint32(at, this.littleEndian);
  }
}

/** Thrown inside the readers to stop at a corrupt place; never leaves them. */
export class Corrupt extends Error {
  constructor(
    readonly offset: number,
    message: string,
  ) {
    super(message);
  }
  toError(): CaptureError {
    return { offset: this.offset, message: this.message };
  }
}

/** No packet of Ethernet or IP is larger; a larger one in a file means that the file is damaged. */
export const MAX_PACKET = 1 << 24;

/** Interfaces of one file, and comments of one packet or file: more only serve to fill a reader's memory. */
export const MAX_INTERFACES = 65_536;
export const MAX_COMMENTS = 256;

const NS = 1_000_000_000n;

/** Converts ticks of an interface clock to nanoseconds. */
export function ticksToNs(ticks: bigint, ticksPerSecond: bigint): bigint {
  if (ticksPerSecond === NS) return ticks;
  return (ticks * NS) / ticksPerSecond;
}
