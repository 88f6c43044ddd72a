import { lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the name of a folder of `verbslab exec` begins with, and the socket in it that shows that the command lives. */
const FOLDER_PREFIX = 'verbslab-exec-';
const SOCKET_NAME = 'alive';
/** The socket gets its name when it listens. A folder without one for so long is of a command that was killed before. */
const NEWBORN_MS = 60_000;

/** A folder for what a command and its programs share, this user’s alone. */
export interface ExecFolder {
  readonly path: string;
  remove(): void;
}

/** Rejects when the folder or its socket cannot be made. */
export async function makeExecFolder(): Promise<ExecFolder> {
  void sweepFeedFolders().catch(() => undefined);
  const path = mkdtempSync(join(tmpdir(), FOLDER_PREFIX));
  const server = createServer((socket) => socket.destroy());
  const remove = (): void => {
    server.close();
    rmSync(path, { recursive: true, force: true });
  };
  const unnamed = join(path, `${SOCKET_NAME}.new`);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(unnamed, resolve);
    });
    // Only a socket that listens has the name, so one that refuses a connection is dead.
    renameSync(unnamed, join(path, SOCKET_NAME));
  } catch (error) {
    remove();
    throw error;
  }
  return { path, remove };
}

/**
 * Removes the folders of commands that were killed. A command lives as long as its socket takes connections: unlike a
 * process id, that is never another's.
 */
export async function sweepFeedFolders(within: string = tmpdir()): Promise<void> {
  for (const name of readdirSync(within)) {
    if (!name.startsWith(FOLDER_PREFIX)) continue;
    const folder = join(within, name);
    try {
      const stat = lstatSync(folder);
      if (!stat.isDirectory() || stat.uid !== process.getuid?.()) continue;
      const reason = await refusal(join(folder, SOCKET_NAME));
      const dead = reason === 'ENOENT' ? Date.now() - stat.mtimeMs > NEWBORN_MS : reason === 'ECONNREFUSED';
      if (dead) rmSync(folder, { recursive: true, force: true });
    } catch {
      // Gone meanwhile, or not ours to remove.
    }
  }
}

/** Why nothing takes a connection at the socket; null when something does. */
function refusal(path: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(null));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    socket.on('connect', () => socket.destroy());
  });
}
