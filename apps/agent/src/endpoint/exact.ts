/** A 64-bit count: a number if it is exact as one, else hexadecimal text. */
export const exact = (count: bigint): number | string =>
  count <= Number.MAX_SAFE_INTEGER ? Number(count) : `0x${count.toString(16)}`;
