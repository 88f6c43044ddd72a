import { describe, expect, it } from 'vitest';
import { base64OfWord, wordOfBase64 } from '../src/endpoints/memory.js';

describe('words', () => {
  it.each([0n, 1n, 0x0102030405060708n, 2n ** 64n - 1n])('%d travels as its bytes', (word) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(word);
    expect(base64OfWord(word)).toBe(bytes.toString('base64'));
    expect(wordOfBase64(base64OfWord(word))).toBe(word);
  });
});
