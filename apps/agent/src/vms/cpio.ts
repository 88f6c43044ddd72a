/**
 * Writes the archive that Linux unpacks as its first root file system: cpio in the "newc" form (initramfs buffer
 * format).
 */

export interface CpioEntry {
  path: string;
  /** File type and permission bits, as in stat(2). */
  mode: number;
  data: Uint8Array;
}

export const directory = (path: string, mode = 0o755): CpioEntry => ({
  path,
  mode: 0o040000 | mode,
  data: new Uint8Array(),
});

export const file = (path: string, data: Uint8Array | string, mode = 0o644): CpioEntry => ({
  path,
  mode: 0o100000 | mode,
  data: typeof data === 'string' ? Buffer.from(data) : data,
});

export const link = (path: string, target: string): CpioEntry => ({
  path,
  mode: 0o120777,
  data: Buffer.from(target),
});

const hex = (value: number): string => value.toString(16).padStart(8, '0');
const padding = (length: number): Buffer => Buffer.alloc((4 - (length % 4)) % 4);

function record(entry: CpioEntry, inode: number): Buffer[] {
  const name = Buffer.from(`${entry.path}\0`);
  const header = [
    '070701',
    hex(inode),
    hex(entry.mode),
    hex(0), // uid
    hex(0), // gid
    hex(1), // links
    hex(0), // mtime
    hex(entry.data.length),
    hex(0), // device, major and minor
    hex(0),
    hex(0), // device of a special file
    hex(0),
    hex(name.length),
    hex(0), // checksum: not in this form
  ].join('');
  const head = Buffer.concat([Buffer.from(header), name]);
  return [head, padding(head.length), Buffer.from(entry.data), padding(entry.data.length)];
}

/** Folders come before their contents. */
export function cpio(entries: readonly CpioEntry[]): Buffer {
  const parts = entries.flatMap((entry, index) => record(entry, index + 1));
  return Buffer.concat([...parts, ...record({ path: 'TRAILER!!!', mode: 0, data: new Uint8Array() }, 0)]);
}
