/**
 * CRC-32 of Ethernet and zlib (reflected, polynomial 0xedb88320), eight bytes at a time ("slicing by 8",
 * Kounavis and Berry, 2005), and the linear algebra over it that finds which bits explain a wrong sum.
 *
 * States here are raw: not complemented, as the shift register holds them.
 */
const TABLES = makeTables();

function makeTables(): Uint32Array {
  const t = new Uint32Array(8 * 256);
  for (let i = 0; i < 256; i++) {
    let c = i;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
    t[i] = c;
  }
  for (let slice = 1; slice < 8; slice++)
    for (let i = 0; i < 256; i++) {
      const before = t[(slice - 1) * 256 + i]!;
      t[slice * 256 + i] = (before >>> 8) ^ t[before & 0xff]!;
    }
  return t;
}

/** Advances the state over bytes[start, end). Bounds are the caller's. */
export function crc32Update(state: number, bytes: Uint8Array, start: number, end: number): number {
  const t = TABLES;
  let c = state;
  let i = start;
  for (const stop = end - 7; i < stop; i += 8) {
    const low = c ^ (bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24));
    c =
      t[0x700 + (low & 0xff)]! ^
      t[0x600 + ((low >>> 8) & 0xff)]! ^
      t[0x500 + ((low >>> 16) & 0xff)]! ^
      t[0x400 + (low >>> 24)]! ^
      t[0x300 + bytes[i + 4]!]! ^
      t[0x200 + bytes[i + 5]!]! ^
      t[0x100 + bytes[i + 6]!]! ^
      t[bytes[i + 7]!]!;
  }
  for (; i < end; i++) c = (c >>> 8) ^ t[(c ^ bytes[i]!) & 0xff]!;
  return c >>> 0;
}

/** zlib's crc32 of a byte string. */
export function crc32(bytes: Uint8Array): number {
  return ~crc32Update(0xffffffff, bytes, 0, bytes.length) >>> 0;
}

/** A 32 x 32 matrix over GF(2). Column i is the image of bit i. */
type Matrix = Uint32Array;

function times(m: Matrix, v: number): number {
  let sum = 0;
  for (let i = 0; v !== 0; v >>>= 1, i++) if (v & 1) sum ^= m[i]!;
  return sum >>> 0;
}

const square = (m: Matrix): Matrix => m.map((column) => times(m, column));

/** Advances each of the states over `count` zero bytes, in place. */
function advance(states: number[], count: number): void {
  // The matrix of a single zero byte: column i is the state after one table step from bit i.
  let power: Matrix = Uint32Array.from({ length: 32 }, (_, i) => {
    const c = (1 << i) >>> 0;
    return ((c >>> 8) ^ TABLES[c & 0xff]!) >>> 0;
  });
  for (let n = count; n > 0; n = Math.floor(n / 2)) {
    if (n % 2 === 1) for (let i = 0; i < states.length; i++) states[i] = times(power, states[i]!);
    if (n > 1) power = square(power);
  }
}

interface Solver {
  /** Reduced sums, each with the 16-bit change that gives it. `pivot` is the highest bit of the sum. */
  rows: { sum: number; change: number; pivot: number }[];
}

const solvers = new Map<number, Solver>();

/** Effect on the final state of each bit of a 16-bit big-endian field that `distance` bytes follow. */
function solverFor(distance: number): Solver {
  const known = solvers.get(distance);
  if (known) return known;
  const states: number[] = [];
  for (let bit = 0; bit < 16; bit++) {
    const field = 1 << bit;
    let s = TABLES[field >>> 8]!;
    s = (s >>> 8) ^ TABLES[(s ^ field) & 0xff]!;
    states.push(s >>> 0);
  }
  advance(states, distance);
  const rows: Solver['rows'] = [];
  for (let bit = 0; bit < 16; bit++) {
    const { sum, change } = reduce(rows, states[bit]!, 1 << bit);
    if (sum !== 0) rows.push({ sum, change, pivot: 31 - Math.clz32(sum) });
  }
  const solver = { rows };
  if (solvers.size > 4096) solvers.clear();
  solvers.set(distance, solver);
  return solver;
}

function reduce(rows: Solver['rows'], sum: number, change: number): { sum: number; change: number } {
  for (const row of rows) {
    if ((sum >>> row.pivot) & 1) {
      sum = (sum ^ row.sum) >>> 0;
      change ^= row.change;
    }
  }
  return { sum, change };
}

/**
 * Returns the bits of a 16-bit field that must be flipped so that the CRC changes by `difference`; null if no bits do
 * that. `distance` bytes of the message follow the field. At most one answer exists.
 */
export function explain16(difference: number, distance: number): number | null {
  const { sum, change } = reduce(solverFor(distance).rows, difference >>> 0, 0);
  return sum === 0 ? change : null;
}
