import { expect, it } from 'vitest';
import { base64 as base64OfBytes, bytesOfBase64 } from '@verbslab/protocol';
import {
  chunkOf,
  chunksOf,
  decodeModel,
  decodePush,
  encodeModel,
  encodePush,
  immediateOf,
  parametersOf,
  pushBytes,
  stepOf,
} from '../src/parameter-server/layout.js';
import { expectedDistances } from '../src/parameter-server/training.js';

const SHAPE = { workers: 3, layers: 2, width: 10, chunks: 4 };

it('carries bytes in base64 as Node does', () => {
  for (const length of [0, 1, 2, 3, 4, 255, 256]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 37 + length) % 256);
    expect(base64OfBytes(bytes)).toBe(Buffer.from(bytes).toString('base64'));
    expect(bytesOfBase64(Buffer.from(bytes).toString('base64'))).toEqual(bytes);
  }
});

it('cuts a layer that is no multiple of its chunks, and puts each chunk where its header says', () => {
  expect(chunksOf(SHAPE).map(({ layer, offset, count }) => [layer, offset, count])).toEqual([
    ...[0, 3, 6, 9].map((offset) => [0, offset, Math.min(3, 10 - offset)]),
    ...[0, 3, 6, 9].map((offset) => [1, offset, Math.min(3, 10 - offset)]),
  ]);
  expect(pushBytes(SHAPE)).toBe(8 * 8 + 4 * 20);
  const gradient = Float32Array.from({ length: parametersOf(SHAPE) }, (_, i) => i / 4);
  const bytes = encodePush(SHAPE, gradient);
  expect(decodePush(SHAPE, bytes)).toMatchObject({ gradient, wrong: 0 });
  bytes[0] = 1;
  const { headers, wrong } = decodePush(SHAPE, bytes);
  expect([headers[0], wrong]).toEqual([{ layer: 1, offset: 0 }, 1]);
});

it('reads the model that was written', () => {
  const parameters = Float32Array.from({ length: parametersOf(SHAPE) }, (_, i) => -i / 8);
  const model = { version: 7, applied: [3, 2, 2], parameters };
  expect(decodeModel(SHAPE, encodeModel(SHAPE, model))).toEqual(model);
});

it('numbers steps and chunks, and the step wraps after 16 bits', () => {
  expect(immediateOf(3, 5)).toBe(0x0003_0005);
  expect([stepOf(0xffff_0001), chunkOf(0xffff_0001)]).toEqual([0xffff, 1]);
  expect(immediateOf(0x1_0000, 2)).toBe(2);
});

it('overshoots with stale gradients, and diverges beyond the rate of the text', () => {
  expect(expectedDistances(0.5, [0, 1, 2, 3])).toEqual([0.5, 0.25, 0.125, 0.0625]);
  const turns = (staleness: number): number[] =>
    Array.from({ length: 400 }, (_, i) => Math.max(0, i - staleness));
  for (const staleness of [1, 2, 5]) {
    const bound = 2 * Math.sin(Math.PI / (4 * staleness + 2));
    expect(expectedDistances(0.95 * bound, turns(staleness)).at(-1)).toBeLessThan(1);
    expect(expectedDistances(1.05 * bound, turns(staleness)).at(-1)).toBeGreaterThan(1);
  }
});
