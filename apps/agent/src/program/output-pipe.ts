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
  /** Reading end, non-blocking. It has its own file description, so the program's end blocks as it should. */
  readonly readEnd: number;
  readonly writeEnd: number;
  /** Destination of the program's output: 1 or 2. */
  readonly target: 1 | 2;
}

/** Destinations of stdout and stderr of a program. */
export interface OutputPlan {
  readonly pipes: readonly OutputPipe[];
  /** Stdio of the program, in place of its file descriptors 1 and 2. */
  readonly stdio: readonly [number | 'inherit', number | 'inherit'];
}

export const INHERITED: OutputPlan = { pipes: [], stdio: ['inherit', 'inherit'] };

const OUTPUTS = [
  { stream: 'stdout', target: 1 },
  { stream: 'stderr', target: 2 },
] as const;

/** True if stdout and stderr go to the same file: two pipes would mix up the order of the output. */
function areSame(): boolean {
  try {
    const [out, err] = [fstatSync(1), fstatSync(2)];
    return out.dev === err.dev && out.ino === err.ino && out.rdev === err.rdev;
  } catch {
    // A descriptor is closed.
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
 * Makes FIFOs and removes their names. Node's own pipes are sockets, which a program could not open again as
 * /dev/stderr.
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
      // The reader is opened first: the writer would wait for it.
      const readEnd = openSync(paths[index]!, constants.O_RDONLY | constants.O_NONBLOCK);
      pipes.push({ ...one, readEnd, writeEnd: openSync(paths[index]!, constants.O_WRONLY) });
    });
    return pipes;
  } finally {
    for (const path of paths) rmSync(path, { force: true });
  }
}

/** Output streams that go to a terminal. Programs check for one, so these streams are left to the program. */
export const terminalOutputs = (): ('stdout' | 'stderr')[] =>
  OUTPUTS.filter(({ target }) => isatty(target)).map(({ stream }) => stream);

/**
 * Makes pipes for the streams that are open and not in `inherited`. Only this user can read `folder`. Rejects if no
 * pipe can be made.
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
