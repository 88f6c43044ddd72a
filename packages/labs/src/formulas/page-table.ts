/** Quantities that follow from sizes alone: pages of a region, and the table that a NIC needs for them. */

/** Bytes of one translation: a physical address. */
export const ENTRY_BYTES = 8;

/** Pages that a region of `length` bytes lies on when it starts `offset` bytes after the start of a page. */
export const pagesOf = (length: number, pageBytes: number, offset = 0): number =>
  Math.ceil((offset + length) / pageBytes);

/** Bytes of a translation table with an entry per page. */
export const tableBytes = (pages: number): number => pages * ENTRY_BYTES;

/** Bytes of memory that a table of `table` bytes covers. */
export const coveredBytes = (table: number, pageBytes: number): number => (table / ENTRY_BYTES) * pageBytes;

/** `from`, then four times as much each time, and `to` last. */
export function sizesUpTo(from: number, to: number): number[] {
  const sizes: number[] = [];
  for (let size = from; size < to; size *= 4) sizes.push(size);
  return [...sizes, to];
}
