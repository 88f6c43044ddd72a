import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { AppError } from '@verbslab/protocol';
import type { Home } from './home.js';
import { storageError } from './storage.js';

/** 192 bits as base64url: 32 characters, none of which needs escaping in a URL. */
const TOKEN_BYTES = 24;
const TOKEN = /^[A-Za-z0-9_-]{32}$/;

export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

export interface Secrets {
  token: string;
  peerToken: string;
}

/**
 * The two secrets of an agent, created if they are missing. Older versions had a single one, and other people know it
 * from their join strings: it becomes the secret of these, and the owner gets a new one.
 */
export function loadSecrets(home: Home): Secrets {
  if (existsSync(home.token) && !existsSync(home.peerToken)) loadToken(home.peerToken, readToken(home.token));
  const peerToken = loadToken(home.peerToken);
  const token = loadToken(home.token);
  // The secrets are also equal if an earlier start was interrupted before it replaced the owner's.
  return { peerToken, token: token === peerToken ? replaceToken(home.token) : token };
}

function replaceToken(path: string): string {
  const temporary = `${path}.${process.pid}`;
  const token = newToken();
  try {
    writeFileSync(temporary, token + '\n', { mode: 0o600 });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw storageError(error, path);
  }
  return token;
}

/** The secret of join strings. Throws NO_PEER_TOKEN if the agent of this folder is of a version without one. */
export function readPeerToken(home: Home): string {
  if (!existsSync(home.peerToken)) throw new AppError('NO_PEER_TOKEN');
  return readToken(home.peerToken);
}

/** The token in `path`, created with mode 0600 if there is none. A restart keeps it. */
export function loadToken(path: string, token = newToken()): string {
  try {
    const fd = openSync(path, 'wx', 0o600);
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

/** Reads an existing token. A token that others could read is no secret, so its mode is corrected first. */
export function readToken(path: string): string {
  try {
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
    const token = readFileSync(path, 'utf8').trim();
    if (TOKEN.test(token)) return token;
    throw new AppError('DAMAGED_FILE', {
      path,
      detail: 'it does not hold a token',
      hint: 'Delete it, then restart the agent: it creates a new one. What was given the old one, such as a join string, no longer works.',
    });
  } catch (error) {
    throw storageError(error, path);
  }
}

/** True if the text has the form of a token. */
export const isToken = (text: string): boolean => TOKEN.test(text);
