import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { AppError } from '@verbslab/protocol';
import { storageError } from './storage.js';

/** 192 bits as base64url: 32 characters, none of which needs escaping in a URL. */
const TOKEN_BYTES = 24;
const TOKEN = /^[A-Za-z0-9_-]{32}$/;

export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** The token in `path`, created with mode 0600 when there is none. It stays the same over restarts. */
export function loadToken(path: string): string {
  try {
    const fd = openSync(path, 'wx', 0o600);
    const token = newToken();
    try {
      writeSync(fd, token + '\n');
    } catch (error) {
      // An empty file would be taken for a damaged token at the next start.
      rmSync(path, { force: true });
      throw error;
    } finally {
      closeSync(fd);
    }
    return token;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw storageError(error, path);
    }
  }
  return readToken(path);
}

/** Reads an existing token; one that others could read is no secret, so its mode is corrected first. */
export function readToken(path: string): string {
  try {
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
    const token = readFileSync(path, 'utf8').trim();
    if (TOKEN.test(token)) return token;
    throw new AppError('DAMAGED_FILE', {
      path,
      detail: 'it does not hold a token',
      hint: 'Delete it, then restart the agent: it creates a new one. Join strings made with the old one no longer work.',
    });
  } catch (error) {
    throw storageError(error, path);
  }
}

/** Whether it looks like one. */
export const isToken = (text: string): boolean => TOKEN.test(text);
