import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '@verbslab/protocol';
import { confinePath, urocePath } from '@verbslab/native';
import { z } from 'zod';
import { LIMITS, type ProgramLimits } from './limits.js';
import type { ProgramFolder } from './folder.js';

const CHECK_MS = 5_000;

const zKernel = z.object({
  /** Version of Landlock; 0 for none. */
  landlock: z.number(),
  /** True if system calls can be handed to the launcher, which may answer with a descriptor. */
  seccomp: z.boolean(),
  /** True if the launcher can inspect its own program. */
  inspect: z.boolean(),
  /** True if a user may make a network namespace. */
  network: z.boolean(),
});
type Kernel = z.infer<typeof zKernel>;

let kernel: Kernel | undefined;

/**
 * Asks the launcher for the confinement that this host’s kernel offers. Throws AppError WORKBENCH_UNCONFINED if the
 * launcher does not run.
 */
function kernelOf(): Kernel {
  if (!existsSync(confinePath))
    throw new AppError('WORKBENCH_UNCONFINED', { detail: `${confinePath} is missing; build it` });
  try {
    const text = execFileSync(confinePath, ['check'], { encoding: 'utf8', timeout: CHECK_MS });
    return (kernel ??= zKernel.parse(JSON.parse(text)));
  } catch (error) {
    throw new AppError('WORKBENCH_UNCONFINED', { detail: 'its launcher does not start' }, { cause: error });
  }
}

/** Throws AppError WORKBENCH_UNCONFINED or WORKBENCH_PTRACE if files or system calls would be open to a program. */
export function needConfinement(): void {
  const { landlock, seccomp, inspect } = kernel ?? kernelOf();
  if (landlock === 0) throw new AppError('WORKBENCH_UNCONFINED', { detail: 'the kernel has no Landlock' });
  if (!seccomp)
    throw new AppError('WORKBENCH_UNCONFINED', {
      detail: 'the kernel’s seccomp does not hand calls over as the launcher needs it',
    });
  if (!inspect) throw new AppError('WORKBENCH_PTRACE');
}

/** Sentences about the gaps of the confinement on this host. */
export function gaps(): string[] {
  try {
    needConfinement();
  } catch (error) {
    return [error instanceof AppError ? `${error.message} ${error.info.cure}` : String(error)];
  }
  if (kernel?.network) return [];
  return [
    'Programs share the network of this host, because an ordinary user may not make one here (on Ubuntu 24.04: kernel.apparmor_restrict_unprivileged_userns). The agent still stops TCP and packets to other hosts, but a program that sets out to could send UDP packets past it. A program does not start on the device beside other programs of this user, and those that start meanwhile wait until it has ended.',
  ];
}

const readable = (paths: readonly string[]): string[] => paths.flatMap((path) => ['--read', path]);

/** Words with which `verbslab exec` starts the program: the launcher and its options, except those that `exec` adds. */
export const programLauncher = (
  folder: ProgramFolder,
  reads: readonly string[],
  limits: ProgramLimits,
): string[] => [
  ...[confinePath, 'run', '--folder', folder.box, '--keys', folder.keys, '--verdict', folder.verdict],
  ...readable([folder.build, dirname(urocePath), ...reads]),
  ...['--cpu', String(limits.seconds), '--time', String(2 * limits.seconds)],
  ...['--memory', String(limits.memoryMiB), '--files', String(limits.filesMiB)],
];

/** Words that start a compiler. A compiler reads the files that a source names, so it is confined, too. */
export const compilerLauncher = (folder: ProgramFolder, reads: readonly string[]): string[] => [
  ...[confinePath, 'run', '--compiler', '--folder', folder.build, '--verdict', folder.verdict],
  ...readable(reads),
  ...['--cpu', '20', '--time', '40', '--memory', '1024', '--files', String(LIMITS.filesMiB)],
];
