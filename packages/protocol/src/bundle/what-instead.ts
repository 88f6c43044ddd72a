import { sameBytes } from './bytes.js';

/** First bytes of other kinds of files that people may take for a bundle, with a description of each. */
const OTHERS: readonly (readonly [bytes: readonly number[], what: string])[] = [
  [[0x0a, 0x0d, 0x0d, 0x0a], 'it is a capture (pcapng), which the Packets page and `verbslab decode` open'],
  [[0xd4, 0xc3, 0xb2, 0xa1], 'it is a capture (pcap), which the Packets page and `verbslab decode` open'],
  [[0x1f, 0x8b], 'it is compressed with gzip'],
  [[0x50, 0x4b, 0x03, 0x04], 'it is a zip archive'],
  [[0x7b], 'it is JSON, as other formats of an export are'],
  [[0x73, 0x65, 0x71, 0x2c], 'it is a CSV file'],
];

/** Describes a file that does not begin like a bundle, by its first bytes. */
export function whatInstead(first: Uint8Array): string {
  if (first.length === 0) return 'it is empty';
  const other = OTHERS.find(([bytes]) => sameBytes(first.subarray(0, bytes.length), bytes));
  return other?.[1] ?? 'its first bytes are those of another kind of file';
}
