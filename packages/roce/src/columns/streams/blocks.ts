/** Packets per block. */
export const BLOCK = 64;

/** Summaries that a timeline draws instead of single packets where many of them share a pixel. */
export interface Blocks {
  /** Time of the first packet of each block. */
  t: Float64Array;
  /** Lowest and highest place among its packets. */
  least: Uint32Array;
  most: Uint32Array;
}

/** `refs`: packets in the order of their times. */
export function blocksOf(refs: Uint32Array, t: Float64Array, places: Uint32Array): Blocks {
  const n = Math.ceil(refs.length / BLOCK);
  const blocks = { t: new Float64Array(n), least: new Uint32Array(n), most: new Uint32Array(n) };
  for (let block = 0, i = 0; block < n; block++) {
    blocks.t[block] = t[refs[i]!]!;
    let least = 0xffffffff;
    let most = 0;
    for (const end = Math.min(refs.length, i + BLOCK); i < end; i++) {
      const place = places[refs[i]!]!;
      if (place < least) least = place;
      if (place > most) most = place;
    }
    blocks.least[block] = least;
    blocks.most[block] = most;
  }
  return blocks;
}
