import type { CaptureError } from './types.js';

/** A file that is read in parts. */
export interface ByteSource {
  readonly length: number;
  /** Preferred size of a read, in bytes. */
  readonly window: number;
  /** Bytes from `from` up to before `to`, both inside the file. */
  read(from: number, to: number): Uint8Array;
}

/** A reader in the byte order of a file, which may be in memory as a whole or come in parts. */
export class FileReader {
  readonly length: number;
  readonly #source: ByteSource | null;
  #window: Uint8Array;
  #view: DataView;
  /** Offset of the window in the file. */
  #start = 0;

  constructor(
    bytes: Uint8Array | ByteSource,
    public littleEndian: boolean,
  ) {
    this.length = bytes.length;
    const whole = bytes instanceof Uint8Array;
    this.#source = whole ? null : bytes;
    this.#window = whole ? bytes : new Uint8Array(0);
    this.#view = viewOf(this.#window);
  }

  u16(at: number): number {
    // Finding the place may move the window, so it comes first.
    const place = this.#place(at, 2);
    return this.#view.getUint16(place, this.littleEndian);
  }

  u32(at: number): number {
    const place = this.#place(at, 4);
    return this.#view.getUint32(place, this.littleEndian);
  }

  /** A view into the file. The view stays valid for as long as it is kept. */
  slice(from: number, to: number): Uint8Array {
    const place = this.#place(from, to - from);
    return this.#window.subarray(place, place + to - from);
  }

  /** Offset in the window of bytes of the file. Reads another window if they are outside this one. */
  #place(at: number, length: number): number {
    const place = at - this.#start;
    if (this.#source === null || (place >= 0 && place + length <= this.#window.length)) return place;
    const end = Math.min(this.length, at + Math.max(this.#source.window, length));
    this.#window = this.#source.read(at, end);
    this.#view = viewOf(this.#window);
    this.#start = at;
    return 0;
  }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/** Thrown inside the readers to stop at a damaged place. Never leaves them. */
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

/** Limits for interfaces per file and for comments per packet or file. More only fill a reader's memory. */
export const MAX_INTERFACES = 65_536;
export const MAX_COMMENTS = 256;

const NS = 1_000_000_000n;

/** Converts ticks of an interface clock to nanoseconds. */
export function ticksToNs(ticks: bigint, ticksPerSecond: bigint): bigint {
  if (ticksPerSecond === NS) return ticks;
  return (ticks * NS) / ticksPerSecond;
}
