import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { AppError } from '@verbslab/protocol';

/**
 * Kernel modules of a machine, in the order in which they are loaded. crc32_generic stands before rdma_rxe, which
 * otherwise answers "failed to add eth0". Those that are not needed may be built in or missing.
 */
export const MODULES: readonly { name: string; needed: boolean }[] = [
  { name: 'virtio_pci', needed: true },
  { name: 'virtio_net', needed: true },
  { name: '9pnet_virtio', needed: true },
  { name: '9p', needed: true },
  { name: 'overlay', needed: true },
  { name: 'crc32_generic', needed: false },
  { name: 'rdma_rxe', needed: true },
  { name: 'rdma_ucm', needed: true },
  { name: 'ib_umad', needed: false },
  { name: 'sch_netem', needed: false },
  { name: 'macvlan', needed: false },
];

const isMissing = (error: NodeJS.ErrnoException): boolean => error.code === 'ENOENT';

/** Files of the modules and of all that they depend on, in order of loading. `root` holds lib/modules/VERSION. */
export function resolveModules(root: string, version: string): string[] {
  const files: string[] = [];
  for (const { name, needed } of MODULES) {
    const { stdout, stderr, status, error } = spawnSync(
      'modprobe',
      ['-d', root, '-S', version, '--show-depends', name],
      { encoding: 'utf8', env: { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` } },
    );
    if (error) throw new AppError('VMS_KERNEL', { version, detail: `modprobe: ${error.message}` });
    if (status !== 0 && needed)
      throw new AppError('VMS_KERNEL', { version, detail: `it has no module ${name} (${stderr.trim()})` });
    // Lines are "insmod FILE [options]" and "builtin NAME".
    for (const [, path] of stdout.matchAll(/^insmod (\S+)/gm)) if (!files.includes(path!)) files.push(path!);
  }
  return files;
}

/** Name of a module's file without its compression: busybox loads none that is compressed. */
export const plainName = (path: string): string => basename(path).replace(/\.(xz|zst|gz)$/, '');

/** Reads a module of the kernel of this version. Throws VMS_KERNEL. */
export function readModule(path: string, version: string): Buffer {
  if (path.endsWith('.gz')) return gunzipSync(readFileSync(path));
  const tool = path.endsWith('.xz') ? 'xz' : path.endsWith('.zst') ? 'zstd' : null;
  if (!tool) return readFileSync(path);
  try {
    return execFileSync(tool, ['-dc', path], { maxBuffer: 1 << 28 });
  } catch (error) {
    const detail = isMissing(error as NodeJS.ErrnoException)
      ? `its modules are compressed and ${tool} is not installed`
      : `${tool} cannot read ${path}`;
    throw new AppError('VMS_KERNEL', { version, detail }, { cause: error });
  }
}
