/** A number in hexadecimal, with at least this many digits. */
export const hex = (value: bigint | number, digits = 1): string =>
  `0x${value.toString(16).padStart(digits, '0')}`;
