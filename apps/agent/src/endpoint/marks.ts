/** Bytes and words that endpoints write into memory as signals. The bytes differ from round to round. */

/** Bytes of an atomic. */
export const WORD_BYTES = 8;

/** Number of values that a mark takes in turn. Memory of a new region is 0, which is not a mark. */
const MARKS = 255;

export const markOf = (round: number): number => (round % MARKS) + 1;
