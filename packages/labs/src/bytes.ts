/** Bytes in the memory of an endpoint, as arrays; commands carry them in base64. */
import { base64, bytesOfBase64, type EndpointHandle } from '@verbslab/protocol';

interface Place {
  endpoint: EndpointHandle;
  mr: { mr: number };
}

/** At most `MEMORY_PIECE_BYTES`. */
export async function readBytes(
  { endpoint, mr }: Place,
  offset: number,
  length: number,
): Promise<Uint8Array> {
  return bytesOfBase64((await endpoint.call('readMemory', { mr: mr.mr, offset, length })).base64);
}

/** At most `MEMORY_PIECE_BYTES`. */
export async function writeBytes({ endpoint, mr }: Place, offset: number, bytes: Uint8Array): Promise<void> {
  await endpoint.call('writeMemory', { mr: mr.mr, offset, base64: base64(bytes) });
}
