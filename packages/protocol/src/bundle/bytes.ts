import { viewOf } from '../frames.js';

// TextDecoder is available wherever this package runs, but no types for it: they come with DOM or Node.
declare const TextDecoder: new (
  label: string,
  options: { fatal: boolean; ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

export const utf8Bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Decodes UTF-8. Throws on invalid bytes. */
export const utf8Text = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);

/** Encodes 32-bit numbers, little-endian. */
export function u32s(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 4);
  values.forEach((value, index) => viewOf(bytes).setUint32(index * 4, value, true));
  return bytes;
}

export const sameBytes = (bytes: Uint8Array, wanted: readonly number[]): boolean =>
  bytes.length === wanted.length && wanted.every((byte, index) => bytes[index] === byte);
