/**
 * Bytes and 64-bit words in the memory of an endpoint; commands carry them in base64. The least significant byte of a word
 * comes first, as atomics and most CPUs have it.
 */
import { base64, bytesOfBase64, MEMORY_PIECE_BYTES, type EndpointHandle } from '@verbslab/protocol';

export const WORD_BYTES = 8;

interface Place {
  endpoint: EndpointHandle;
  mr: { mr: number };
}

export async function readBytes(
  { endpoint, mr }: Place,
  offset: number,
  length: number,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += MEMORY_PIECE_BYTES) {
    const piece = { mr: mr.mr, offset: offset + at, length: Math.min(MEMORY_PIECE_BYTES, length - at) };
    bytes.set(bytesOfBase64((await endpoint.call('readMemory', piece)).base64), at);
  }
  return bytes;
}

export async function writeBytes({ endpoint, mr }: Place, offset: number, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; at += MEMORY_PIECE_BYTES) {
    const piece = bytes.subarray(at, at + MEMORY_PIECE_BYTES);
    await endpoint.call('writeMemory', { mr: mr.mr, offset: offset + at, base64: base64(piece) });
  }
}

/** The eight bytes of a word, as commands carry them. */
export function base64OfWord(value: bigint): string {
  const bytes = new Uint8Array(WORD_BYTES);
  new DataView(bytes.buffer).setBigUint64(0, BigInt.asUintN(64, value), true);
  return base64(bytes);
}

export const wordOfBase64 = (text: string): bigint =>
  new DataView(bytesOfBase64(text).buffer).getBigUint64(0, true);

export async function readWord({ endpoint, mr }: Place, offset: number): Promise<bigint> {
  return wordOfBase64((await endpoint.call('readMemory', { mr: mr.mr, offset, length: WORD_BYTES })).base64);
}

export async function writeWord({ endpoint, mr }: Place, offset: number, value: bigint): Promise<void> {
  await endpoint.call('writeMemory', { mr: mr.mr, offset, base64: base64OfWord(value) });
}
