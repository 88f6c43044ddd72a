/** A trainer that writes checkpoints, a staging host that only has memory, and a restorer that reads them. */
import type { EndpointSendWr, LabContext } from '@verbslab/protocol';
import { complete } from '../endpoints/verbs.js';
import { readBytes, writeBytes, readWord, writeWord } from '../endpoints/memory.js';
import { HELD_ACK_TIMEOUT } from '../load/posting.js';
import { connectSides, hashOf, openSide, remoteOf, type Side } from '../endpoints/side.js';
import {
  decodeManifest,
  encodeManifest,
  manifestBytes,
  RECORD_BYTES,
  shardPlace,
  slotBytes,
  slotPlace,
  storeBytes,
} from './layout.js';
import type { CheckpointStagingParams } from './params.js';

export type Context = LabContext<CheckpointStagingParams>;

/** Packets of a shard are held back once, so the timeout is that of held ACKs. */
const OPTIONS = { mtu: 1024, timeout: HELD_ACK_TIMEOUT } as const;

export interface Ends {
  /** Trainer’s memory: the store’s layout, then a buffer for copies. */
  trainer: Side;
  staging: Side;
  restorer: Side;
  /** The staging host’s end of the restorer’s connection. */
  forRestorer: { qp: Side['qp']; cq: number };
}

/** Place of the trainer’s copies of shards, from which it sends them. */
export const bouncePlace = (params: CheckpointStagingParams): number => storeBytes(params);

export async function openEnds(ctx: Context): Promise<Ends> {
  const { params } = ctx;
  const { link } = params;
  const trainer = await openSide(ctx.endpoint('trainer'), {
    length: bouncePlace(params) + slotBytes(params),
    access: ['LOCAL_WRITE'],
    link,
  });
  const restorer = await openSide(ctx.endpoint('restorer'), {
    length: storeBytes(params),
    access: ['LOCAL_WRITE'],
    link,
  });
  const staging = await openSide(ctx.endpoint('staging'), {
    length: storeBytes(params),
    access: ['LOCAL_WRITE', 'REMOTE_READ', 'REMOTE_WRITE'],
    link,
  });
  const { endpoint, scope } = staging;
  const { cq } = await scope.cq(16);
  const qp = await scope.qp(link, { sendCq: cq, maxSendWr: 4, maxRecvWr: 4 });
  await connectSides(ctx, [trainer, staging], link, OPTIONS);
  await connectSides(ctx, [restorer, { endpoint, qp }], link, OPTIONS);
  return { trainer, staging, restorer, forRestorer: { qp, cq } };
}

/** A part of the own memory, and the same place in the store unless another one is given. */
const requestOf = (
  opcode: 'RDMA_WRITE' | 'RDMA_READ',
  { mr }: Side,
  staging: Side,
  [from, length]: readonly [number, number],
  at = from,
): EndpointSendWr => ({
  opcode,
  local: [{ mr: mr.mr, offset: from, length }],
  remote: remoteOf(staging, at),
});

/** The WRITEs of a checkpoint in this slot. */
export function writesOf({ params }: Context, { trainer, staging }: Ends, slot: number) {
  const base = slotPlace(params, slot);
  const write = (from: number, length: number): EndpointSendWr =>
    requestOf('RDMA_WRITE', trainer, staging, [from, length]);
  return {
    shards: Array.from({ length: params.shards }, (_, shard) =>
      write(base + shardPlace(params, shard), params.shardBytes),
    ),
    manifest: write(base, manifestBytes(params)),
    record: write(0, RECORD_BYTES),
  };
}

export const put = ({ trainer }: Ends, wr: EndpointSendWr): Promise<number> => complete(trainer, wr);

/** The trainer has this checkpoint in its own memory. Resolves to the checksums of its shards. */
export async function prepare(
  { params }: Context,
  { trainer }: Ends,
  epoch: number,
  slot: number,
): Promise<string[]> {
  const { endpoint, mr } = trainer;
  const base = slotPlace(params, slot);
  const sums: string[] = [];
  for (let shard = 0; shard < params.shards; shard++) {
    const offset = base + shardPlace(params, shard);
    const seed = epoch * 16 + shard;
    await endpoint.call('fillMemory', { mr: mr.mr, offset, length: params.shardBytes, seed });
    sums.push(await hashOf(trainer, offset, params.shardBytes));
  }
  await writeBytes(trainer, base, encodeManifest({ epoch, sums }));
  await writeWord(trainer, 0, BigInt(epoch));
  return sums;
}

export async function readRecord({ restorer, staging }: Ends): Promise<number> {
  await complete(restorer, requestOf('RDMA_READ', restorer, staging, [0, RECORD_BYTES]));
  return Number(await readWord(restorer, 0));
}

export interface Restored {
  /** Epoch of the record. */
  epoch: number;
  /** Checksums of the shards that were read. */
  sums: string[];
  /** Manifest and checksums agree with the record and the shards. */
  verified: boolean;
}

/** READs the manifest and every shard of this slot, and compares them. */
export async function verify(
  { params }: Context,
  { restorer, staging }: Ends,
  epoch: number,
  slot: number,
): Promise<Restored> {
  const base = slotPlace(params, slot);
  await complete(restorer, requestOf('RDMA_READ', restorer, staging, [base, slotBytes(params)]));
  const manifest = decodeManifest(await readBytes(restorer, base, manifestBytes(params)));
  const sums: string[] = [];
  for (let shard = 0; shard < params.shards; shard++)
    sums.push(await hashOf(restorer, base + shardPlace(params, shard), params.shardBytes));
  const verified = manifest.epoch === epoch && manifest.sums.every((sum, shard) => sum === sums[shard]);
  return { epoch, sums, verified };
}

export async function restore(
  ctx: Context,
  ends: Ends,
  slotOf: (epoch: number) => number,
): Promise<Restored> {
  const epoch = await readRecord(ends);
  return verify(ctx, ends, epoch, slotOf(epoch));
}
