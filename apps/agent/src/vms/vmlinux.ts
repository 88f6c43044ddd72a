import { execFileSync } from 'node:child_process';
import { gunzipSync } from 'node:zlib';

/**
 * Takes the kernel proper out of a bzImage (Documentation/arch/x86/boot.rst). QEMU starts it directly (PVH), which
 * under software emulation saves the seconds that the kernel would take to unpack itself.
 */

const HEADER_MAGIC = 0x202; // "HdrS"
const SETUP_SECTORS = 0x1f1;
const PAYLOAD_OFFSET = 0x248;
const PAYLOAD_LENGTH = 0x24c;

const unpackBy =
  (program: string, args: string[]) =>
  (packed: Buffer): Buffer =>
    execFileSync(program, args, { input: packed, maxBuffer: 1 << 29, stdio: ['pipe', 'pipe', 'ignore'] });

/** Behind all but gzip the build appends the size, four bytes that the tools take for damage. */
const UNPACKERS: readonly { magic: string; unpack: (packed: Buffer) => Buffer }[] = [
  { magic: '1f8b', unpack: (packed) => gunzipSync(packed) },
  { magic: 'fd377a585a00', unpack: (packed) => unpackBy('xz', ['-dc'])(packed.subarray(0, -4)) },
  { magic: '28b52ffd', unpack: (packed) => unpackBy('zstd', ['-dc'])(packed.subarray(0, -4)) },
];

/** Has the ELF file the note with its entry point (XEN_ELFNOTE_PHYS32_ENTRY)? */
function isPvh(elf: Buffer): boolean {
  if (elf.toString('latin1', 0, 4) !== '\x7fELF' || elf[4] !== 2) return false;
  const headers = Number(elf.readBigUInt64LE(32));
  for (let index = 0; index < elf.readUInt16LE(56); index += 1) {
    const at = headers + index * elf.readUInt16LE(54);
    if (elf.readUInt32LE(at) !== 4) continue; // PT_NOTE
    let note = Number(elf.readBigUInt64LE(at + 8));
    const end = note + Number(elf.readBigUInt64LE(at + 32));
    while (note + 12 <= end) {
      const [name, size, type] = [0, 4, 8].map((offset) => elf.readUInt32LE(note + offset)) as [
        number,
        number,
        number,
      ];
      if (type === 18 && elf.toString('latin1', note + 12, note + 15) === 'Xen') return true;
      note += 12 + ((name + 3) & ~3) + ((size + 3) & ~3);
    }
  }
  return false;
}

/** The ELF file in the image; null when it is packed in a way, or is of a form, that cannot be used. */
export function extractVmlinux(image: Buffer): Buffer | null {
  if (image.length < 0x1000 || image.toString('latin1', HEADER_MAGIC, HEADER_MAGIC + 4) !== 'HdrS')
    return null;
  const start = (image.readUInt8(SETUP_SECTORS) + 1) * 512 + image.readUInt32LE(PAYLOAD_OFFSET);
  const packed = image.subarray(start, start + image.readUInt32LE(PAYLOAD_LENGTH));
  const unpacker = UNPACKERS.find(({ magic }) => packed.toString('hex', 0, magic.length / 2) === magic);
  if (!unpacker) return null;
  try {
    const elf = unpacker.unpack(packed);
    return isPvh(elf) ? elf : null;
  } catch {
    return null; // the image itself starts too, only later
  }
}
