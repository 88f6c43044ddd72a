// Calls of libc that the device's libraries stand in front of, and how a program gets one of them from libc again.
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { AppError } from '@verbslab/protocol';
import { urocePath, urocePathsPath } from '@verbslab/native';

/** Calls of libc among what liburoce.so exports. All of liburoce-paths.so are, but for its entries for our own tools. */
const OF_LIBC = /^(\w*signal|sig(action|procmask)|pthread_\w+|_[eE]xit|f?exec\w+)$/;

interface ExportedCall {
  name: string;
  /** Where its symbol is in the file. */
  at: number;
}

const SYMBOL = { bytes: 24, section: 6, value: 8 };
const DYNSYM = 11;

/** Functions that a shared library exports: symbols of its dynamic symbol table (ELF64, little-endian) with an address. */
function exportedBy(library: Buffer): ExportedCall[] {
  const u64 = (at: number): number => Number(library.readBigUInt64LE(at));
  const [table, entry, count] = [u64(0x28), library.readUInt16LE(0x3a), library.readUInt16LE(0x3c)];
  const section = (index: number) => {
    const at = table + index * entry;
    return {
      ...{ type: library.readUInt32LE(at + 4), link: library.readUInt32LE(at + 0x28) },
      ...{ offset: u64(at + 0x18), size: u64(at + 0x20) },
    };
  };
  const symbols = Array.from({ length: count }, (_, index) => section(index)).find(
    ({ type }) => type === DYNSYM,
  );
  if (symbols === undefined) return [];
  const names = section(symbols.link).offset;
  return Array.from(
    { length: symbols.size / SYMBOL.bytes },
    (_, index) => symbols.offset + index * SYMBOL.bytes,
  )
    .filter((at) => library.readUInt16LE(at + SYMBOL.section) !== 0)
    .map((at) => {
      const name = names + library.readUInt32LE(at);
      return { at, name: library.toString('latin1', name, library.indexOf(0, name)) };
    });
}

const LIBRARIES = [
  { path: urocePathsPath, stands: (name: string) => !name.startsWith('uroce_') },
  { path: urocePath, stands: (name: string) => OF_LIBC.test(name) },
];

/**
 * Paths of the libraries to preload: the device's own, or copies in `folder` that do not export the calls `left`, so the
 * loader gives the program those of libc.
 */
export function librariesWithout(left: readonly string[], folder: string | undefined): string[] {
  if (left.length === 0) return LIBRARIES.map(({ path }) => path);
  const libraries = LIBRARIES.map(({ path, stands }) => {
    const bytes = readFileSync(path);
    return { path, bytes, calls: exportedBy(bytes).filter(({ name }) => stands(name)) };
  });
  const known = libraries.flatMap(({ calls }) => calls.map(({ name }) => name)).toSorted();
  const unknown = left.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new AppError('USAGE', {
      detail: `The device does not stand in front of “${unknown}”`,
      hint: `The calls that can be left to libc are ${known.join(', ')}.`,
    });
  if (folder === undefined)
    throw new AppError('USAGE', {
      detail: `--leave-call needs a folder in ${tmpdir()}, and there is none`,
      hint: 'Set TMPDIR to a folder in which you can write.',
    });
  return libraries.map(({ path, bytes, calls }) => {
    const hidden = calls.filter(({ name }) => left.includes(name));
    if (hidden.length === 0) return path;
    for (const { at } of hidden) {
      bytes.writeUInt16LE(0, at + SYMBOL.section);
      bytes.writeBigUInt64LE(0n, at + SYMBOL.value);
    }
    const copy = join(folder, basename(path));
    writeFileSync(copy, bytes, { mode: 0o700 });
    return copy;
  });
}
