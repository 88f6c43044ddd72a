import { base64, bytesOfBase64, MEMORY_PIECE_BYTES, type EndpointHandle } from '@verbslab/protocol';
import { expect, it } from 'vitest';
import { readBytes, writeBytes } from '../src/endpoints/memory.js';

/** An endpoint with memory, which takes no longer piece than the protocol allows. */
function withMemory(size: number) {
  const memory = new Uint8Array(size);
  const pieces: number[] = [];
  const call = (op: string, args: { offset: number; length?: number; base64?: string }) => {
    const length = args.length ?? bytesOfBase64(args.base64!).length;
    expect(length).toBeLessThanOrEqual(MEMORY_PIECE_BYTES);
    pieces.push(length);
    if (op === 'writeMemory') memory.set(bytesOfBase64(args.base64!), args.offset);
    return Promise.resolve({ base64: base64(memory.subarray(args.offset, args.offset + length)) });
  };
  return { memory, pieces, place: { endpoint: { call } as unknown as EndpointHandle, mr: { mr: 1 } } };
}

it.each([0, 1, MEMORY_PIECE_BYTES, MEMORY_PIECE_BYTES + 1, 3 * MEMORY_PIECE_BYTES])(
  '%d bytes go into memory and come back, in pieces that a command can carry',
  async (length) => {
    const { memory, pieces, place } = withMemory(4 * MEMORY_PIECE_BYTES);
    const bytes = Uint8Array.from({ length }, (_, i) => 1 + (i % 251));
    await writeBytes(place, 100, bytes);
    expect(memory.subarray(100, 100 + length)).toEqual(bytes);
    expect(memory[100 + length]).toBe(0);
    expect(await readBytes(place, 100, length)).toEqual(bytes);
    expect(pieces).toHaveLength(2 * Math.ceil(length / MEMORY_PIECE_BYTES));
  },
);
