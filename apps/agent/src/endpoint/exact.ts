/** A 64-bit count: a number where one holds it, all digits otherwise. */
export const exact = (count: bigint): number | string =>
  count <= Number.MAX_SAFE_INTEGER ? Number(count) : `0x${count.toString(16)}`;
