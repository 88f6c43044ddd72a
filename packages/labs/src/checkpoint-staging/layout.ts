/** Places of a checkpoint: a record of one word, and slots of a manifest and shards. Pure functions. */
import type { CheckpointStagingParams } from './params.js';

type Shape = Pick<CheckpointStagingParams, 'shards' | 'shardBytes'>;

const LINE = 64;
const rounded = (bytes: number): number => Math.ceil(bytes / LINE) * LINE;

/** The record is the epoch of the last committed checkpoint, or 0. */
export const RECORD_BYTES = 8;
const EPOCH_BYTES = 8;
/** SHA-256 */
const SUM_BYTES = 32;
export const SLOTS = 2;

/** {epoch u64, checksum of each shard} */
export const manifestBytes = ({ shards }: Shape): number => EPOCH_BYTES + shards * SUM_BYTES;
/** Offset of a shard in its slot. */
export const shardPlace = (shape: Shape, shard: number): number =>
  rounded(manifestBytes(shape)) + shard * rounded(shape.shardBytes);
export const slotBytes = (shape: Shape): number => shardPlace(shape, shape.shards);

/** Offset of a slot in the memory of each end: the record comes first, then the slots. */
export const slotPlace = (shape: Shape, slot: number): number => LINE + slot * slotBytes(shape);
export const storeBytes = (shape: Shape): number => slotPlace(shape, SLOTS);

export interface Manifest {
  epoch: number;
  /** SHA-256 of each shard, hexadecimal. */
  sums: string[];
}

export function encodeManifest({ epoch, sums }: Manifest): Uint8Array {
  const bytes = new Uint8Array(EPOCH_BYTES + sums.length * SUM_BYTES);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(epoch), true);
  for (const [n, sum] of sums.entries())
    for (let i = 0; i < SUM_BYTES; i++)
      bytes[EPOCH_BYTES + n * SUM_BYTES + i] = Number.parseInt(sum.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

export function decodeManifest(bytes: Uint8Array): Manifest {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = (bytes.length - EPOCH_BYTES) / SUM_BYTES;
  return {
    epoch: Number(view.getBigUint64(0, true)),
    sums: Array.from({ length: count }, (_, n) =>
      [...bytes.subarray(EPOCH_BYTES + n * SUM_BYTES, EPOCH_BYTES + (n + 1) * SUM_BYTES)]
        .map((byte) => byte.toString(16).padStart(2, '0'))
        .join(''),
    ),
  };
}
