/** Data of an endpoint, known without asking it. */

/** The words that `fillMemory` writes with a seed, by its documented formula. */
export function dataWords(bytes: number, seed: number): Uint32Array {
  const start = Math.imul(seed, 0x85ebca6b);
  return Uint32Array.from(
    { length: Math.floor(bytes / 4) },
    (_, i) => (Math.imul(i, 0x9e3779b1) + start) >>> 0,
  );
}
