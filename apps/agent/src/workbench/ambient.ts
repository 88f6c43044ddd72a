/**
 * Globals of a workbench program besides the language and @verbslab/verbs. Node’s own types would offer files, sockets
 * and processes, which it may not use.
 */
export const AMBIENT = `
interface Console { log(...data: unknown[]): void; error(...data: unknown[]): void; warn(...data: unknown[]): void;
  info(...data: unknown[]): void; table(data: unknown): void; }
declare const console: Console;
declare function setTimeout(run: (_: void) => void, ms?: number): unknown;
declare function setTimeout<A extends unknown[]>(run: (...args: A) => void, ms?: number, ...args: A): unknown;
declare function clearTimeout(timer: unknown): void;
declare function setInterval<A extends unknown[]>(run: (...args: A) => void, ms?: number, ...args: A): unknown;
declare function clearInterval(timer: unknown): void;
declare function setImmediate(run: (_: void) => void): unknown;
declare function setImmediate<A extends unknown[]>(run: (...args: A) => void, ...args: A): unknown;
declare function queueMicrotask(run: () => void): void;
declare function structuredClone<T>(value: T): T;
declare const performance: { now(): number };
interface AbortSignal { readonly aborted: boolean; readonly reason: unknown; }
declare class AbortController { readonly signal: AbortSignal; abort(reason?: unknown): void; }
declare class TextEncoder { encode(text?: string): Uint8Array<ArrayBuffer>; }
declare class TextDecoder { constructor(label?: string); decode(bytes?: ArrayBuffer | ArrayBufferView): string; }
type BufferEncoding = 'utf8' | 'utf-8' | 'hex' | 'base64' | 'ascii' | 'latin1';
declare class Buffer extends Uint8Array<ArrayBufferLike> {
  private constructor();
  static from(text: string, encoding?: BufferEncoding): Buffer;
  static from(bytes: ArrayLike<number> | Iterable<number>): Buffer;
  static from(memory: ArrayBufferLike, offset?: number, length?: number): Buffer;
  static alloc(size: number, fill?: number | string): Buffer;
  static concat(list: readonly Uint8Array[], length?: number): Buffer;
  static byteLength(text: string, encoding?: BufferEncoding): number;
  static compare(a: Uint8Array, b: Uint8Array): -1 | 0 | 1;
  toString(encoding?: BufferEncoding, start?: number, end?: number): string;
  equals(other: Uint8Array): boolean;
  compare(other: Uint8Array): -1 | 0 | 1;
  copy(target: Uint8Array, targetStart?: number, start?: number, end?: number): number;
  write(text: string, offset?: number): number;
  subarray(start?: number, end?: number): Buffer;
  readUInt8(offset?: number): number; readUInt16LE(offset?: number): number; readUInt16BE(offset?: number): number;
  readUInt32LE(offset?: number): number; readUInt32BE(offset?: number): number;
  readInt32LE(offset?: number): number; readInt32BE(offset?: number): number;
  readBigUInt64LE(offset?: number): bigint; readBigUInt64BE(offset?: number): bigint;
  readBigInt64LE(offset?: number): bigint; readBigInt64BE(offset?: number): bigint;
  writeUInt8(value: number, offset?: number): number; writeUInt16LE(value: number, offset?: number): number;
  writeUInt16BE(value: number, offset?: number): number; writeUInt32LE(value: number, offset?: number): number;
  writeUInt32BE(value: number, offset?: number): number; writeInt32LE(value: number, offset?: number): number;
  writeInt32BE(value: number, offset?: number): number;
  writeBigUInt64LE(value: bigint, offset?: number): number; writeBigUInt64BE(value: bigint, offset?: number): number;
  writeBigInt64LE(value: bigint, offset?: number): number; writeBigInt64BE(value: bigint, offset?: number): number;
}
`;
