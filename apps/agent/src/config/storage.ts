import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { formatBytes } from '@verbslab/labs';
import { AppError } from '@verbslab/protocol';

/** Free space below which an I/O error means a full disk, bytes: SQLite needs a few pages for anything. */
const NEXT_TO_NOTHING = 64 * 1024;

/** The path itself, or the nearest folder above it that exists. */
function existing(path: string): string {
  let at = path;
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  return at;
}

function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(existing(path));
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}

function isReadOnly(path: string): boolean {
  try {
    accessSync(existing(path), constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}

/** True if the error of a call means that the disk of `path` has no room left. */
export function isDiskFull(error: unknown, path: string): boolean {
  const { code = '' } = error as { code?: string };
  if (/^(ENOSPC|EDQUOT|SQLITE_FULL)$/.test(code)) return true;
  return /^SQLITE_(IOERR|CANTOPEN)/.test(code) && freeBytes(path) < NEXT_TO_NOTHING;
}

/**
 * Explains why a file or folder of the data directory cannot be used, from the error of the file system or of SQLite.
 */
export function storageError(error: unknown, path: string): AppError {
  if (error instanceof AppError) return error;
  const { code = '', message } = error as { code?: string; message: string };
  const cause = { cause: error };
  if (isDiskFull(error, path)) {
    return new AppError('DISK_FULL', { path, free: formatBytes(freeBytes(path)) }, cause);
  }
  if (/^(EROFS|EACCES|SQLITE_READONLY|SQLITE_CANTOPEN)/.test(code) && isReadOnly(path)) {
    return new AppError('READ_ONLY', { path }, cause);
  }
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) {
    return new AppError('HISTORY_DAMAGED', { path, detail: message }, cause);
  }
  return new AppError('DATA_DIRECTORY', { path, detail: message }, cause);
}
