import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { agentFolder } from '../config/agent-folder.js';
import { homePath } from '../config/home.js';

/** What `vms up` keeps while the machines run; `vms down` removes the whole folder. Only its owner may look inside. */
export interface VmsFolder {
  readonly path: string;
  readonly state: string;
  readonly lock: string;
}

export function vmsFolder(home: string = homePath()): VmsFolder {
  const path = join(home, 'vms');
  return { path, state: join(path, 'state.json'), lock: join(home, 'vms.lock') };
}

/** Files of one machine, relative to the folder: QEMU runs in it, for names of unix sockets are short (108 bytes). */
export const vmFiles = (name: string) => ({
  console: `${name}.console`,
  log: `${name}.qemu`,
  initramfs: `${name}.initramfs`,
  /** Certificate and key of its agent, which stay when it is healed. */
  identity: `${name}.identity`,
  link: (peer: string) => `${name}-${peer}.l2`,
});

/** Kernels that were unpacked, kept over `vms down`. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const base = env.XDG_CACHE_HOME?.startsWith('/') ? env.XDG_CACHE_HOME : join(homedir(), '.cache');
  return join(base, 'verbslab', 'vms');
}

/** The project as it was checked out or installed: what holds apps, packages, native and node_modules. */
export const projectFolder = dirname(dirname(agentFolder));

/** Where the project is mounted in a machine: the same place everywhere, so no name of the host shows. */
export const GUEST_PROJECT = '/opt/verbslab';
