import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { storageError } from './storage.js';

export interface FileLock {
  release(): void;
}

/**
 * Takes the lock of a file, which is created if it is missing; null if another process holds the lock. The lock is an
 * exclusive SQLite transaction: the kernel drops it at the end of the process, in every case.
 */
export function lockFile(path: string): FileLock | null {
  let database: Database.Database;
  try {
    database = new Database(path, { timeout: 0 });
    database.pragma('journal_mode = DELETE');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) return null;
    throw storageError(error, dirname(path));
  }
  return { release: () => void database.close() };
}
