import { viewOf } from '../frames.js';

// Available wherever this package runs; its types come with neither DOM nor Node here.
declare const TextDecoder: new (
  label: string,
  options: { fatal: boolean; ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

export const utf8Bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Throws on bytes that are not UTF-8. */
export const utf8Text = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);

/** Numbers of 32 bits, little-endian. */
export function u32s(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 4);
  values.forEach((value, index) => viewOf(bytes).setUint32(index * 4, value, true));
  return bytes;
}

export const sameBytes = (bytes: Uint8Array, wanted: readonly number[]): boolean =>
  bytes.length === wanted.length && wanted.every((byte, index) => bytes[index] === byte);
