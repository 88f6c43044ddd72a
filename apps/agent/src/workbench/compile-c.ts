import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, WORKBENCH_FILE } from '@verbslab/protocol';
import { compileFailed, runCompiler, type Compiled } from './compiled.js';
import { compilerLauncher } from './confinement.js';
import type { ProgramFolder } from './folder.js';
import { compiler, INSTALL } from './requirements.js';

/** Flags of the template's Makefile. */
export const C_FLAGS = ['-std=gnu11', '-g', '-O1', '-Wall', '-Wextra', '-pthread'] as const;
export const C_LIBRARIES = ['-lrdmacm', '-libverbs'] as const;

/** Compiles the program. Throws AppError COMPILE_FAILED, WORKBENCH_MISSING. */
export async function compileC(folder: ProgramFolder): Promise<Compiled> {
  const path = compiler();
  if (path === null) throw new AppError('WORKBENCH_MISSING', { what: 'A C compiler', command: INSTALL.c });
  const { code, stderr } = await runCompiler(folder, compilerLauncher(folder, []), [
    ...[path, ...C_FLAGS, `-ffile-prefix-map=${folder.build}=.`, '-fdiagnostics-color=never'],
    ...['-fno-diagnostics-show-caret', WORKBENCH_FILE.c, '-o', 'main', ...C_LIBRARIES],
  ]);
  const messages = stderr.trim();
  if (code !== 0) throw missing(messages) ?? compileFailed(messages);
  const program = join(folder.build, 'main');
  // The linker may not change modes.
  chmodSync(program, 0o500);
  return { command: [program], reads: [], warnings: messages === '' ? [] : messages.split('\n') };
}

/** The error for a header or library of verbs that this host lacks; null if none is missing. */
function missing(messages: string): AppError | null {
  const header = /fatal error: ((?:infiniband|rdma)\/[\w./]+): No such file/.exec(messages)?.[1];
  const library = /cannot find -l(ibverbs|rdmacm)/.exec(messages)?.[1];
  if (header === undefined && library === undefined) return null;
  return new AppError('WORKBENCH_MISSING', { what: header ?? `lib${library}`, command: INSTALL.c });
}
