import { closeSync, openSync, readSync } from 'node:fs';

const HEADER_BYTES = 64;
const PT_LOAD = 1;
const MAX_PROGRAM_HEADERS = 1024;

/**
 * The address at which an ELF file expects to be loaded: 0 for a shared object or a position-independent program, else
 * the address that the program was linked to. Null for a file that is no 64-bit little-endian ELF file. Throws if the
 * file cannot be read.
 */
export function linkedAt(path: string): bigint | null {
  const fd = openSync(path, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    if (readSync(fd, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return null;
    const [magic, wide, little] = [header.readUInt32BE(0), header[4] === 2, header[5] === 1];
    if (magic !== 0x7f454c46 || !wide || !little) return null;
    const size = header.readUInt16LE(54);
    const count = header.readUInt16LE(56);
    if (size < 56 || count > MAX_PROGRAM_HEADERS) return null;
    const table = Buffer.alloc(size * count);
    if (readSync(fd, table, 0, table.length, Number(header.readBigUInt64LE(32))) < table.length) return null;
    const starts: bigint[] = [];
    for (let at = 0; at < table.length; at += size) {
      if (table.readUInt32LE(at) !== PT_LOAD) continue;
      const align = table.readBigUInt64LE(at + 48) || 1n;
      const address = table.readBigUInt64LE(at + 16);
      starts.push(address - (address % align));
    }
    return starts.length === 0 ? null : starts.reduce((a, b) => (b < a ? b : a));
  } finally {
    closeSync(fd);
  }
}
