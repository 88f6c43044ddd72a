/** Bytes in the memory of an endpoint, as arrays; commands carry them in base64. */
import { base64, bytesOfBase64, MEMORY_PIECE_BYTES, type EndpointHandle } from '@verbslab/protocol';

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
