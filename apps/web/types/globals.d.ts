/** What a program of the workbench has beside the language and `@verbslab/verbs`: a part of Node's globals. */

interface Console {
  /** Prints to stdout, with a line feed. */
  log(...data: unknown[]): void;
  /** Prints to stderr, with a line feed. */
  error(...data: unknown[]): void;
  info(...data: unknown[]): void;
  warn(...data: unknown[]): void;
  table(data: unknown): void;
}
declare const console: Console;

declare const process: {
  /** The status that the program ends with, unless it throws. */
  exitCode: number | undefined;
  /** Ends the program at once. What is still open stays open, which is a leak. */
  exit(code?: number): never;
  readonly stdout: { write(text: string | Uint8Array): boolean };
  readonly stderr: { write(text: string | Uint8Array): boolean };
  readonly hrtime: { bigint(): bigint };
};

/** When it was started and what it measures, in milliseconds. */
declare const performance: { now(): number };

type Encoding = 'utf8' | 'ascii' | 'latin1' | 'hex' | 'base64';

/** Bytes, as a `Uint8Array` with conversions. */
interface Buffer<T extends ArrayBufferLike = ArrayBufferLike> extends Uint8Array<T> {
  toString(encoding?: Encoding, start?: number, end?: number): string;
  equals(other: Uint8Array): boolean;
  readUInt8(offset?: number): number;
  readUInt16LE(offset?: number): number;
  readUInt32LE(offset?: number): number;
  readUInt32BE(offset?: number): number;
  readBigUInt64LE(offset?: number): bigint;
  readBigUInt64BE(offset?: number): bigint;
  writeUInt8(value: number, offset?: number): number;
  writeUInt16LE(value: number, offset?: number): number;
  writeUInt32LE(value: number, offset?: number): number;
  writeUInt32BE(value: number, offset?: number): number;
  writeBigUInt64LE(value: bigint, offset?: number): number;
  writeBigUInt64BE(value: bigint, offset?: number): number;
}
declare const Buffer: {
  /** The bytes of a text, or a copy of bytes. */
  from(text: string, encoding?: Encoding): Buffer<ArrayBuffer>;
  from(bytes: ArrayLike<number>): Buffer<ArrayBuffer>;
  /** A view of the same memory. */
  from<T extends ArrayBufferLike>(memory: T, byteOffset?: number, length?: number): Buffer<T>;
  alloc(size: number, fill?: number | string): Buffer<ArrayBuffer>;
  byteLength(text: string, encoding?: Encoding): number;
  compare(a: Uint8Array, b: Uint8Array): -1 | 0 | 1;
  concat(list: readonly Uint8Array[]): Buffer<ArrayBuffer>;
  isBuffer(value: unknown): value is Buffer;
};

declare class TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>;
}
declare class TextDecoder {
  constructor(label?: string);
  decode(bytes?: ArrayBufferView | ArrayBuffer): string;
}

interface Timer {
  ref(): this;
  unref(): this;
}
declare function setTimeout(run: () => void, milliseconds?: number): Timer;
declare function clearTimeout(timer: Timer | undefined): void;
declare function setInterval(run: () => void, milliseconds?: number): Timer;
declare function clearInterval(timer: Timer | undefined): void;
declare function setImmediate(run: () => void): unknown;
declare function queueMicrotask(run: () => void): void;
