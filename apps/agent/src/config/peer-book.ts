import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { AppError, zHostName } from '@verbslab/protocol';
import { z } from 'zod';
import type { Home } from './home.js';
import { storageError } from './storage.js';
import type { Invitation } from './join-string.js';

export interface PeerEntry extends Omit<Invitation, 'fingerprint'> {
  name: string;
  /** Null in the book of a version that paired on loopback without a fingerprint; such a peer has to be added again. */
  fingerprint: string | null;
}

const zBook = z.object({
  version: z.literal(1),
  peers: z.array(
    z.object({
      name: zHostName,
      host: z.string(),
      port: z.int().min(1).max(65_535),
      token: z.string(),
      fingerprint: z.string().nullable(),
    }),
  ),
});

/** The paired agents of a data directory, with their tokens: for its owner’s eyes only. Throws DAMAGED_FILE. */
export function readBook(home: Home): PeerEntry[] {
  if (!existsSync(home.peers)) return [];
  try {
    return zBook.parse(JSON.parse(readFileSync(home.peers, 'utf8'))).peers;
  } catch (error) {
    throw new AppError(
      'DAMAGED_FILE',
      {
        path: home.peers,
        detail: 'it does not hold a list of paired agents',
        hint: 'Delete it, then add the hosts again with `verbslab peers add`.',
      },
      { detail: (error as Error).message, cause: error },
    );
  }
}

export function writeBook(home: Home, peers: readonly PeerEntry[]): void {
  const temporary = `${home.peers}.${process.pid}`;
  try {
    writeFileSync(temporary, JSON.stringify({ version: 1, peers }, null, 2) + '\n', { mode: 0o600 });
    renameSync(temporary, home.peers);
  } catch (error) {
    throw storageError(error, home.peers);
  }
}
