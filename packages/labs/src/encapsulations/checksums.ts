/** The checksums of the four encapsulations. Pure functions over bytes. */
import { crc32 } from '@verbslab/roce';

const littleEndian = (value: number, length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => (value >>> (8 * i)) & 0xff);

/** A CRC that takes the lowest bit first, begins with ones, and ends complemented. */
function reflected(bytes: Uint8Array, polynomial: number, bits: 16 | 32): number {
  const ones = bits === 16 ? 0xffff : 0xffff_ffff;
  let crc = ones;
  for (const byte of bytes) {
    crc ^= byte;
    for (let i = 0; i < 8; i++) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
  }
  return (crc ^ ones) >>> 0;
}

/** CRC-32C over an FPDU of iWARP (RFC 5044), as on the wire. */
export const mpaCrc = (bytes: Uint8Array): Uint8Array => littleEndian(reflected(bytes, 0x82f6_3b78, 32), 4);

/** The variant CRC of InfiniBand: x^16 + x^12 + x^3 + x + 1 (InfiniBand specification, volume 1, 7.8.2). */
export const variantCrc = (bytes: Uint8Array): Uint8Array => littleEndian(reflected(bytes, 0xd008, 16), 2);

/** Ethernet’s frame check sequence. */
export const fcs = (bytes: Uint8Array): Uint8Array => littleEndian(crc32(bytes), 4);

/** The invariant CRC, over bytes in which all that may change on the way has been set to ones. */
export const invariantCrc = (masked: Uint8Array): Uint8Array => littleEndian(crc32(masked), 4);

/** The checksum of IP, TCP and UDP (RFC 1071), most significant byte first. Its own field must be zero. */
export function internetChecksum(bytes: Uint8Array): Uint8Array {
  let sum = 0;
  for (let i = 0; i < bytes.length; i += 2) sum += (bytes[i]! << 8) | (bytes[i + 1] ?? 0);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return Uint8Array.of((~sum >>> 8) & 0xff, ~sum & 0xff);
}
