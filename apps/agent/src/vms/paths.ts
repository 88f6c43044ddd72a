import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { agentFolder } from '../config/agent-folder.js';
import { homePath } from '../config/home.js';

/** Folder of `vms up` while the machines run; `vms down` removes all of it. Only its owner may look inside. */
export interface VmsFolder {
  readonly path: string;
  readonly state: string;
  readonly lock: string;
}

export function vmsFolder(home: string = homePath()): VmsFolder {
  const path = join(home, 'vms');
  return { path, state: join(path, 'state.json'), lock: join(home, 'vms.lock') };
}

/**
 * Files of a machine, relative to the folder. QEMU runs in that folder, since names of unix sockets are short (108
 * bytes).
 */
export const vmFiles = (name: string) => ({
  console: `${name}.console`,
  log: `${name}.qemu`,
  initramfs: `${name}.initramfs`,
  /** Certificate and key of the machine's agent, which stay the same after a restart. */
  identity: `${name}.identity`,
  link: (peer: string) => `${name}-${peer}.l2`,
});

/** Cache of unpacked kernels, which outlives `vms down`. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const base = env.XDG_CACHE_HOME?.startsWith('/') ? env.XDG_CACHE_HOME : join(homedir(), '.cache');
  return join(base, 'verbslab', 'vms');
}

/** Folder of the project, checked out or installed: holds apps, packages, native and node_modules. */
export const projectFolder = dirname(dirname(agentFolder));

/** Mount point of the project in a machine: the same everywhere, so no name of the host shows. */
export const GUEST_PROJECT = '/opt/verbslab';
