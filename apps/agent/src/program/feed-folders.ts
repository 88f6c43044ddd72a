import { lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Prefix of the folders of `verbslab exec`, and the name of the socket in each that shows that its command lives. */
const FOLDER_PREFIX = 'verbslab-exec-';
const SOCKET_NAME = 'alive';
/**
 * Time that a new folder may lack a socket of this name, ms: the socket gets its name once it listens. An older folder
 * without one belongs to a command that was killed before that.
 */
const NEWBORN_MS = 60_000;

/** A folder for files that a command and its programs share. Only this user can read it. */
export interface ExecFolder {
  readonly path: string;
  remove(): void;
}

/** Makes a folder. Rejects if the folder or its socket cannot be made. */
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
    // Only a listening socket has the name, so one that refuses a connection is dead.
    renameSync(unnamed, join(path, SOCKET_NAME));
  } catch (error) {
    remove();
    throw error;
  }
  return { path, remove };
}

/**
 * Removes the folders of killed commands. A command lives as long as its socket accepts connections: unlike a process
 * id, a socket is never reused by another program.
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
      // The folder is gone meanwhile, or is not ours to remove.
    }
  }
}

/** The error of a connection to the socket; null if it is accepted. */
function refusal(path: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(null));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    socket.on('connect', () => socket.destroy());
  });
}
