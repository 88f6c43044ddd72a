import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { agentFolder } from '../config/agent-folder.js';
import { GUEST_PROJECT, projectFolder } from './paths.js';
import { link, type CpioEntry } from './cpio.js';

/** A folder of the host that a machine sees, read-only. */
export interface Share {
  /** Name of the mount, at most 31 characters. */
  tag: string;
  path: string;
  /** Where it is mounted in the machine. */
  target: string;
}

/** Folders of the system with programs and libraries; older distributions do not keep them all in /usr. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64'];

/** Of the project only what was built and what it loads: no sources, no .git, nothing of the user. */
const PROJECT = ['node_modules', 'packages', 'native', 'apps/agent/bin', 'apps/agent/dist', 'apps/web/out'];

const isLink = (path: string): boolean => lstatSync(path).isSymbolicLink();

export function shares(): Share[] {
  const system = SYSTEM.filter((path) => existsSync(path) && !isLink(path)).map((path) => ({
    tag: path.slice(1),
    path,
    target: path,
  }));
  const project = PROJECT.map((name) => ({ name, path: join(projectFolder, name) }))
    .filter(({ path }) => existsSync(path))
    .map(({ name, path }) => ({ tag: name.replaceAll('/', '-'), path, target: `${GUEST_PROJECT}/${name}` }));
  const node = nodeFolder();
  return [...system, ...project, ...(node ? [{ tag: 'node', path: node, target: '/opt/node' }] : [])];
}

/** The folder of this Node where it is not one of the system's (nvm, a tarball); null where it is. */
function nodeFolder(): string | null {
  const folder = dirname(process.execPath);
  return SYSTEM.some((path) => folder.startsWith(`${path}/`)) ? null : folder;
}

/** Node as a machine finds it. */
export const guestNode = (): string => (nodeFolder() ? '/opt/node/node' : process.execPath);

/** /bin and its like, where they are links. */
export function systemLinks(): CpioEntry[] {
  return SYSTEM.filter((path) => existsSync(path) && isLink(path)).map((path) =>
    link(`root${path}`, readlinkSync(path)),
  );
}

/** Files of apps/agent that are no JavaScript. */
export const guestFile = (name: string): string => join(agentFolder, 'guest', name);
