/** The vectors of the hosts, their sums, and transfers of both into and out of a host’s memory. */
import { base64, bytesOfBase64 } from '@verbslab/protocol';
import type { Host } from '../collective/hosts.js';
import { seeded } from '../base/random.js';
import type { Algorithm } from './schedule.js';

export const FLOAT = Float32Array.BYTES_PER_ELEMENT;
/** A multiple of 3, so that pieces of base64 are pieces of the whole. */
const PIECE = 48 * 1024;

/** Values between −1 and 1, different at each host. */
export function vectorOf(host: number, elements: number): Float32Array {
  const random = seeded(host + 1);
  return Float32Array.from({ length: elements }, () => 2 * random() - 1);
}

/** Each addition rounds to float32, in the order of the algorithm: around the ring from a part’s host on, or pair by pair. */
export function sumOf(
  algorithm: Algorithm,
  vectors: readonly Float32Array[],
  elements: number,
): Float32Array {
  const hosts = vectors.length;
  const count = elements / hosts;
  return Float32Array.from({ length: elements }, (_, i) => {
    const values = vectors.map((one) => one[i]!);
    if (algorithm === 'ring') {
      const part = Math.floor(i / count);
      let sum = values[part]!;
      for (let hop = 1; hop < hosts; hop++) sum = Math.fround(sum + values[(part + hop) % hosts]!);
      return sum;
    }
    for (let apart = 1; apart < hosts; apart *= 2)
      for (let at = 0; at + apart < hosts; at += 2 * apart)
        values[at] = Math.fround(values[at]! + values[at + apart]!);
    return values[0]!;
  });
}

/** Elements that are not the same, bit for bit. Both have the same length. */
export function countDifferent(a: Float32Array, b: Float32Array): number {
  const [left, right] = [a, b].map((one) => new Uint32Array(one.buffer, one.byteOffset, one.length));
  let different = 0;
  for (const [i, value] of left!.entries()) if (value !== right![i]) different++;
  return different;
}

const bytesOf = (floats: Float32Array): Uint8Array =>
  new Uint8Array(floats.buffer, floats.byteOffset, floats.byteLength);

/** Base64 of the floats, in pieces as commands carry it. */
export function piecesOf(floats: Float32Array): string[] {
  const bytes = bytesOf(floats);
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE) pieces.push(base64(bytes.subarray(at, at + PIECE)));
  return pieces;
}

export async function writeFloats(
  { endpoint, mr }: Host,
  offset: number,
  floats: Float32Array,
): Promise<void> {
  for (const [i, piece] of piecesOf(floats).entries())
    await endpoint.call('writeMemory', { mr: mr.mr, offset: offset + i * PIECE, base64: piece });
}

/** Elements in memory from `offset` on that are not those of `pieces`, bit for bit. */
export async function countWrong(
  { endpoint, mr }: Host,
  offset: number,
  pieces: readonly string[],
): Promise<number> {
  let wrong = 0;
  for (const [i, expected] of pieces.entries()) {
    const length = bytesOfLength(expected);
    const read = await endpoint.call('readMemory', { mr: mr.mr, offset: offset + i * PIECE, length });
    if (read.base64 === expected) continue;
    const [found, right] = [read.base64, expected].map((one) => new Float32Array(bytesOfBase64(one).buffer));
    wrong += countDifferent(found!, right!);
  }
  return wrong;
}

const bytesOfLength = (text: string): number =>
  (text.length / 4) * 3 - (text.length - text.replace(/=+$/, '').length);
