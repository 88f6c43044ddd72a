import { execFile } from 'node:child_process';
import { constants, fstatSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isatty } from 'node:tty';
import { promisify } from 'node:util';
import type { OutputStream } from '@verbslab/protocol';

const MKFIFO_MS = 5_000;

/** A pipe whose writing end a program gets as one of its output streams. */
export interface OutputPipe {
  readonly stream: OutputStream;
  /** Non-blocking. It has a file description of its own, so the program's end blocks as it should. */
  readonly readEnd: number;
  readonly writeEnd: number;
  /** Where the program's output goes: 1 or 2. */
  readonly target: 1 | 2;
}

/** What becomes of stdout and stderr of a program. */
export interface OutputPlan {
  readonly pipes: readonly OutputPipe[];
  /** For the program, in place of its file descriptors 1 and 2. */
  readonly stdio: readonly [number | 'inherit', number | 'inherit'];
}

export const INHERITED: OutputPlan = { pipes: [], stdio: ['inherit', 'inherit'] };

const OUTPUTS = [
  { stream: 'stdout', target: 1 },
  { stream: 'stderr', target: 2 },
] as const;

/** Stdout and stderr go to the same file: two pipes would mix up the order of what is printed. */
function areSame(): boolean {
  try {
    const [out, err] = [fstatSync(1), fstatSync(2)];
    return out.dev === err.dev && out.ino === err.ino && out.rdev === err.rdev;
  } catch {
    // One of them is closed.
    return false;
  }
}

function isOpen(fd: number): boolean {
  try {
    fstatSync(fd);
    return true;
  } catch {
    return false;
  }
}

/**
 * FIFOs without a name, since what Node calls a pipe is a socket: a program could not open it again as /dev/stderr.
 */
async function makePipes(
  folder: string,
  wanted: readonly Pick<OutputPipe, 'stream' | 'target'>[],
): Promise<OutputPipe[]> {
  const paths = wanted.map(({ stream }) => join(folder, stream));
  const pipes: OutputPipe[] = [];
  try {
    await promisify(execFile)('mkfifo', ['-m', '600', ...paths], { timeout: MKFIFO_MS });
    wanted.forEach((one, index) => {
      // The reader first: the writer would wait for it.
      const readEnd = openSync(paths[index]!, constants.O_RDONLY | constants.O_NONBLOCK);
      pipes.push({ ...one, readEnd, writeEnd: openSync(paths[index]!, constants.O_WRONLY) });
    });
    return pipes;
  } finally {
    for (const path of paths) rmSync(path, { force: true });
  }
}

/** The output streams that go to a terminal, which programs look for: they are left to the program. */
export const terminalOutputs = (): ('stdout' | 'stderr')[] =>
  OUTPUTS.filter(({ target }) => isatty(target)).map(({ stream }) => stream);

/**
 * Pipes for the streams that are open and not in `inherited`. `folder` is this user’s alone. Rejects when no pipe can
 * be made.
 */
export async function planOutput(folder: string, inherited: readonly OutputStream[]): Promise<OutputPlan> {
  const open = OUTPUTS.filter(({ stream, target }) => !inherited.includes(stream) && isOpen(target));
  const wanted = open.length === 2 && areSame() ? [{ stream: 'both', target: 1 } as const] : open;
  if (wanted.length === 0) return INHERITED;
  const pipes = await makePipes(folder, wanted);
  const endFor = (stream: OutputStream): number | 'inherit' =>
    pipes.find((pipe) => pipe.stream === stream || pipe.stream === 'both')?.writeEnd ?? 'inherit';
  return { pipes, stdio: [endFor('stdout'), endFor('stderr')] };
}
