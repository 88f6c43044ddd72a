import { expect, it } from 'vitest';
import {
  decodeManifest,
  encodeManifest,
  manifestBytes,
  shardPlace,
  slotBytes,
  slotPlace,
  storeBytes,
} from '../src/checkpoint-staging/layout.js';
import { partsOf } from '../src/checkpoint-staging/parts.js';

const SHAPE = { shards: 3, shardBytes: 5000 };

it('keeps record, manifests and shards apart', () => {
  expect(manifestBytes(SHAPE)).toBe(8 + 3 * 32);
  expect([0, 1, 2].map((shard) => shardPlace(SHAPE, shard))).toEqual([128, 128 + 5056, 128 + 2 * 5056]);
  expect(slotBytes(SHAPE)).toBe(128 + 3 * 5056);
  expect([slotPlace(SHAPE, 0), slotPlace(SHAPE, 1)]).toEqual([64, 64 + slotBytes(SHAPE)]);
  expect(storeBytes(SHAPE)).toBe(64 + 2 * slotBytes(SHAPE));
});

it('reads the manifest that was written', () => {
  const sums = ['00ff', 'a1b2', '0102'].map((start) => start.padEnd(64, '7c'));
  const manifest = { epoch: 2 ** 40 + 1, sums };
  expect(decodeManifest(encodeManifest(manifest))).toEqual(manifest);
});

it('splits what overlapping saves in each round', () => {
  const rounds = { compute: [10, 10], transfer: [20, 30], serial: [35, 45], overlapped: [25, 42] };
  // 10 = 5 + 5, and 3 = 5 − 2.
  expect(partsOf(rounds)).toEqual({ saved: [10, 3], waits: [5, 5], hidden: [5, -2], bound: [10, 10] });
});
