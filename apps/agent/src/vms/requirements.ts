import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@verbslab/protocol';
import { firstExecutable, onPath } from '../config/executable.js';

/** Programs (or files) of this host that the machines need, and the Debian or Ubuntu package that has each. */
const NEEDED: readonly { what: string; package: string }[] = [
  { what: 'qemu-system-x86_64', package: 'qemu-system-x86' },
  { what: 'busybox', package: 'busybox-static' },
  { what: 'modprobe', package: 'kmod' },
  { what: 'ip', package: 'iproute2' },
  { what: 'rdma', package: 'iproute2' },
  { what: 'ibv_devinfo', package: 'ibverbs-utils' },
  { what: '/etc/libibverbs.d/rxe.driver', package: 'ibverbs-providers' },
];

/** A program on the PATH or where administrators' programs are; null when there is none. */
export const findTool = (program: string): string | null =>
  firstExecutable([...onPath(program), join('/usr/sbin', program), join('/sbin', program)]);

/**
 * Checks platform and packages. Throws VMS_PLATFORM, or VMS_PACKAGES with the command that installs the missing ones.
 */
export function checkRequirements(): void {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new AppError('VMS_PLATFORM', { platform: `${process.platform} on ${process.arch}` });
  const missing = NEEDED.filter(({ what }) => (what.startsWith('/') ? !existsSync(what) : !findTool(what)));
  if (missing.length === 0) return;
  throw new AppError('VMS_PACKAGES', {
    what: missing.map(({ what }) => what).join(', '),
    packages: [...new Set(missing.map((one) => one.package))].join(' '),
  });
}

/** The tool's path; the requirements have been checked before. */
export function tool(program: string): string {
  const path = findTool(program);
  if (!path) throw new AppError('NO_PROGRAM', { program });
  return path;
}
