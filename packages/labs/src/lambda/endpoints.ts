/** An end of a connection over which functions and data travel, and where things are in its memory. */
import { base64, bytesOfBase64, LAMBDA_TIME_MS, type Access, type EndpointHandle } from '@verbslab/protocol';
import type { LinkParam } from '../endpoints/link.js';
import { openOwner, type Owner, type Queues } from '../endpoints/scope.js';
import { remoteOf } from '../endpoints/side.js';

/** Offsets, the same at both ends. */
export const IMAGE = 0;
export const RESULT = 64 * 1024;
export const RESULT_BYTES = 64;
export const DATA = 128 * 1024;

export interface End extends Owner, Queues {}

/** @param data bytes that there is room for */
export async function openEnd(
  endpoint: EndpointHandle,
  { data, access, link, depth }: { data: number; access: Access[]; link: LinkParam; depth?: number },
): Promise<End> {
  const owner = await openOwner(endpoint, DATA + data, access);
  return { ...owner, ...(await owner.scope.queues(link, depth)) };
}

export const placeOf = ({ mr }: Pick<End, 'mr'>, offset: number, length: number) => ({
  mr: mr.mr,
  offset,
  length,
});

/** Arguments to load an image of `imageBytes` bytes from the memory of an end, with its limits. */
export const loadOf = (
  end: Pick<End, 'mr'>,
  imageBytes: number,
  {
    publicKey,
    memoryBytes,
    timeMs = LAMBDA_TIME_MS,
  }: { publicKey: string; memoryBytes: number; timeMs?: number },
) => ({
  image: placeOf(end, IMAGE, imageBytes),
  trusted: [publicKey],
  memoryBytes,
  timeMs,
});

/** A WRITE from a part of an end’s memory to the same part of the peer’s, with an immediate for the peer’s program. */
export const writeImm = (from: End, to: End, offset: number, length: number, imm: number) => ({
  opcode: 'RDMA_WRITE_WITH_IMM' as const,
  local: length === 0 ? [] : [placeOf(from, offset, length)],
  remote: remoteOf(to, offset),
  imm,
});

/** Signs a module with the key of `signer` and puts its image into its memory. */
export async function placeImage(
  { endpoint, mr }: Pick<End, 'endpoint' | 'mr'>,
  module: Uint8Array,
): Promise<{ imageBytes: number; image: string; publicKey: string }> {
  const { image, publicKey } = await endpoint.call('lambda.sign', { module: base64(module), signer: 'own' });
  await endpoint.call('writeMemory', { mr: mr.mr, offset: IMAGE, base64: image });
  return { image, publicKey, imageBytes: bytesOfBase64(image).length };
}
