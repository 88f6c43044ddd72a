/** What endpoints write into memory to tell each other something: bytes that differ from round to round, and words. */

/** An atomic's bytes. */
export const WORD_BYTES = 8;

/** Values that a mark takes in turn. Memory of a new region is 0, which is none of them. */
const MARKS = 255;

export const markOf = (round: number): number => (round % MARKS) + 1;
