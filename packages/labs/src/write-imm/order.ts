/** The immediate on its way: big-endian on the wire, on all CPUs. */

const bytesOf = (value: number): number[] => [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff);

export const hex32 = (value: number): string => `0x${value.toString(16).padStart(8, '0')}`;

/** `12 34 56 78`. */
export const wireBytes = (value: number): string =>
  bytesOf(value)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join(' ');

/** Value that a little-endian CPU reads from those bytes if the program forgets ntohl. */
export const withoutNtohl = (value: number): number =>
  bytesOf(value).reduceRight((all, byte) => all * 256 + byte, 0);
