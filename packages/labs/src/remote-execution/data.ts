/** The server’s data, known without asking the server. */

const SEED = 5;

export const DATA_SEED = SEED;

/** The words that `fillMemory` writes with this seed, by its documented formula. */
export function dataWords(bytes: number): Uint32Array {
  const start = Math.imul(SEED, 0x85ebca6b);
  return Uint32Array.from(
    { length: Math.floor(bytes / 4) },
    (_, i) => (Math.imul(i, 0x9e3779b1) + start) >>> 0,
  );
}
