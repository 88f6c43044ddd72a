import { execFile } from 'node:child_process';
import { AppError } from '@verbslab/protocol';
import type { ProgramFolder } from './folder.js';
import { readVerdict } from './verdict.js';

/** A program that can be started. */
export interface Compiled {
  command: string[];
  /** Files that it reads, besides its own folder and the system’s. */
  reads: string[];
  /** Warnings of the compiler, a line each. */
  warnings: string[];
}

const MAX_OUTPUT_BYTES = 1024 * 1024;
const SHOWN_CHARS = 16_000;

export interface CompilerRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a compiler in its launcher. Throws AppError COMPILE_FAILED if the compiler was stopped. */
export async function runCompiler(
  folder: ProgramFolder,
  [launcher, ...words]: readonly string[],
  command: readonly string[],
): Promise<CompilerRun> {
  const ended = await new Promise<CompilerRun>((resolve) => {
    const child = execFile(
      launcher!,
      [...words, '--', ...command],
      {
        maxBuffer: MAX_OUTPUT_BYTES,
        env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', HOME: folder.build, TMPDIR: folder.build },
      },
      (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
  const stopped = readVerdict(folder.verdict)?.stopped;
  if (stopped)
    throw new AppError('COMPILE_FAILED', { first: `the compiler exceeded its limit of ${stopped}.` });
  return ended;
}

/** COMPILE_FAILED with all messages as its detail, each `FILE:LINE:COLUMN: …`. */
export function compileFailed(messages: string): AppError {
  const first = /^[\w.]+:(\d+):\d+: (?:fatal )?error: (.*)$/m.exec(messages);
  const text = first ? `line ${first[1]}: ${first[2]}` : (messages.split('\n')[0] ?? '');
  return new AppError('COMPILE_FAILED', { first: text }, { detail: messages.slice(0, SHOWN_CHARS) });
}
