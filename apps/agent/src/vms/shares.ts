import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { agentFolder } from '../config/agent-folder.js';
import { GUEST_PROJECT, projectFolder } from './paths.js';
import { link, type CpioEntry } from './cpio.js';

/** A read-only folder of the host in a machine. */
export interface Share {
  /** Name of the mount, at most 31 characters. */
  tag: string;
  path: string;
  /** Mount point in the machine. */
  target: string;
}

/** Folders of the system with programs and libraries; older distributions do not keep them all in /usr. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64'];

/** Built parts of the project and what they load: no sources, no .git, no files of the user. */
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

/** The folder of this Node if it is outside of the system's (nvm, a tarball), else null. */
function nodeFolder(): string | null {
  const folder = dirname(process.execPath);
  return SYSTEM.some((path) => folder.startsWith(`${path}/`)) ? null : folder;
}

/** Path of Node in a machine. */
export const guestNode = (): string => (nodeFolder() ? '/opt/node/node' : process.execPath);

/** Links for /bin and similar folders that are links on the host. */
export function systemLinks(): CpioEntry[] {
  return SYSTEM.filter((path) => existsSync(path) && isLink(path)).map((path) =>
    link(`root${path}`, readlinkSync(path)),
  );
}

/** Path of a file of apps/agent that is not JavaScript. */
export const guestFile = (name: string): string => join(agentFolder, 'guest', name);
