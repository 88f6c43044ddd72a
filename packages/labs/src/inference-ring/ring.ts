/** Slots of a ring, {sequence u64, features float32[]} each, least significant byte first. Pure functions. */
import type { InferenceRingParams } from './params.js';

type Shape = Pick<InferenceRingParams, 'slots' | 'features'>;

const SEQUENCE = 8;
const FLOAT = 4;
/** {sequence u32, score float32} */
export const RESULT_BYTES = 8;

export const slotBytes = ({ features }: Shape): number => SEQUENCE + features * FLOAT;
export const ringBytes = (shape: Shape): number => shape.slots * slotBytes(shape);
export const resultsBytes = ({ slots }: Shape): number => slots * RESULT_BYTES;

/** Requests count from 1. */
export const slotOf = ({ slots }: Shape, sequence: number): number => (sequence - 1) % slots;

/** Slots of consecutive requests: one run, or two where they go past the end of the ring. */
export function runsOf(
  shape: Shape,
  first: number,
  count: number,
): { first: number; slot: number; count: number }[] {
  const slot = slotOf(shape, first);
  const before = Math.min(count, shape.slots - slot);
  const runs = [{ first, slot, count: before }];
  if (before < count) runs.push({ first: first + before, slot: 0, count: count - before });
  return runs;
}

/** Small whole numbers, so that sums of them are exact. */
const featureOf = (sequence: number, i: number): number => ((sequence * 31 + i * 7) % 97) - 48;
const weightOf = (i: number): number => (i % 5) - 2;

export function encodeSlots(shape: Shape, first: number, count: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(count * slotBytes(shape)));
  for (let n = 0; n < count; n++) {
    const at = n * slotBytes(shape);
    view.setBigUint64(at, BigInt(first + n), true);
    for (let i = 0; i < shape.features; i++)
      view.setFloat32(at + SEQUENCE + i * FLOAT, featureOf(first + n, i), true);
  }
  return new Uint8Array(view.buffer);
}

export interface Request {
  sequence: number;
  features: number[];
}

export function decodeSlots(shape: Shape, bytes: Uint8Array): Request[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / slotBytes(shape) }, (_, n) => {
    const at = n * slotBytes(shape);
    return {
      sequence: Number(view.getBigUint64(at, true)),
      features: Array.from({ length: shape.features }, (__, i) =>
        view.getFloat32(at + SEQUENCE + i * FLOAT, true),
      ),
    };
  });
}

/** True if each feature is that of the request with this number. */
export const intact = ({ features }: Request, sequence: number): boolean =>
  features.every((value, i) => value === featureOf(sequence, i));

/** The model's result for a request: the product with its weights. */
export const scoreOf = (features: readonly number[]): number =>
  features.reduce((sum, value, i) => sum + value * weightOf(i), 0);

export const expectedScore = ({ features }: Shape, sequence: number): number =>
  scoreOf(Array.from({ length: features }, (_, i) => featureOf(sequence, i)));

export interface Result {
  sequence: number;
  score: number;
}

export function encodeResults(results: readonly Result[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(results.length * RESULT_BYTES));
  for (const [i, { sequence, score }] of results.entries()) {
    view.setUint32(i * RESULT_BYTES, sequence, true);
    view.setFloat32(i * RESULT_BYTES + 4, score, true);
  }
  return new Uint8Array(view.buffer);
}

export function decodeResults(bytes: Uint8Array): Result[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / RESULT_BYTES }, (_, i) => ({
    sequence: view.getUint32(i * RESULT_BYTES, true),
    score: view.getFloat32(i * RESULT_BYTES + 4, true),
  }));
}
