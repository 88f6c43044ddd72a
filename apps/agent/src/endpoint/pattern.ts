/**
 * Fills memory with a pattern that depends on `seed` and position alone: the little-endian 32-bit word at position
 * 4 i is (i * 0x9e3779b1 + seed * 0x85ebca6b) mod 2^32. Two ends can so compare without telling each other bytes.
 *
 * @param at position of the first byte in the whole; a multiple of 4
 */
export function fillPattern(bytes: Uint8Array, at: number, seed: number): void {
  const start = Math.imul(seed, 0x85ebca6b);
  const whole = bytes.length >>> 2;
  const aligned = (bytes.byteOffset & 3) === 0;
  const words = aligned ? new Uint32Array(bytes.buffer, bytes.byteOffset, whole) : new Uint32Array(whole);
  const first = at >>> 2;
  for (let index = 0; index < whole; index++)
    words[index] = (Math.imul(first + index, 0x9e3779b1) + start) >>> 0;
  if (!aligned) bytes.set(new Uint8Array(words.buffer), 0);
  const rest = bytes.length & 3;
  const last = (Math.imul(first + whole, 0x9e3779b1) + start) >>> 0;
  for (let index = 0; index < rest; index++) bytes[whole * 4 + index] = (last >>> (8 * index)) & 0xff;
}
