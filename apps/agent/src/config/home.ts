import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { storageError } from './storage.js';

/** The data directory, which outlives the agent. Only its owner may look inside. */
export interface Home {
  readonly path: string;
  readonly database: string;
  /** The owner's secret. */
  readonly token: string;
  /** The secret of the join strings. */
  readonly peerToken: string;
  /** The running agent and its port. */
  readonly state: string;
  readonly lock: string;
  readonly captures: string;
  /** File that is deleted when the disk is full, so that the end of a run can still be written. */
  readonly reserve: string;
  /** Certificate and key, by which others know the agent. */
  readonly certificate: string;
  readonly key: string;
  /** Paired agents with their tokens. */
  readonly peers: string;
  /** The page that leads a browser to the dashboard and signs it in. */
  readonly redirect: string;
}

export function homePath(env: NodeJS.ProcessEnv = process.env): string {
  if (env.VERBSLAB_HOME) return resolve(env.VERBSLAB_HOME);
  const base = env.XDG_DATA_HOME?.startsWith('/') ? env.XDG_DATA_HOME : join(homedir(), '.local', 'share');
  return join(base, 'verbslab');
}

/** Names of the files; nothing is created. */
export function homeAt(path: string): Home {
  return {
    path,
    database: join(path, 'runs.db'),
    token: join(path, 'token'),
    peerToken: join(path, 'peer-token'),
    state: join(path, 'agent.json'),
    lock: join(path, 'agent.lock'),
    captures: join(path, 'captures'),
    reserve: join(path, 'reserve'),
    certificate: join(path, 'tls-cert.pem'),
    key: join(path, 'tls-key.pem'),
    peers: join(path, 'peers.json'),
    redirect: join(path, 'open.html'),
  };
}

/** Node's recursive mkdir never returns where a file system refuses new names with ENOENT, as /proc does. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process of ours created the folder first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Creates the folder (0700) if it is missing, and refuses a folder that belongs to another user. */
export function openHome(path: string = homePath()): Home {
  const home = homeAt(path);
  try {
    makeFolder(home.captures);
    const stat = statSync(path);
    if (process.getuid && stat.uid !== process.getuid()) {
      throw new Error('it belongs to another user');
    }
    if ((stat.mode & 0o077) !== 0) chmodSync(path, 0o700);
  } catch (error) {
    throw storageError(error, path);
  }
  return home;
}
