import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { callFailed } from '@verbslab/protocol';

export interface ProcessId {
  pid: number;
  /** Clock ticks after boot at which it started (proc(5), stat field 22): ids are used again, this is not. */
  startTime: string;
}

/** Start time of a process. Null if there is no such process, or only a zombie that its parent has not yet reaped. */
function startTimeOf(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name may hold spaces and brackets; fields are counted from behind it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : fields[19]!;
  } catch {
    return null;
  }
}

export const isAlive = ({ pid, startTime }: ProcessId): boolean => pid > 0 && startTimeOf(pid) === startTime;

/** Starts a process that outlives this one; its output goes to `log` (0600, relative to `cwd`). */
export async function startDetached(
  program: string,
  args: readonly string[],
  cwd: string,
  log: string,
): Promise<ProcessId> {
  const output = openSync(`${cwd}/${log}`, 'w', 0o600);
  try {
    const child = spawn(program, args, { cwd, detached: true, stdio: ['ignore', output, output] });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error: NodeJS.ErrnoException) =>
        reject(callFailed('SYSTEM', `start of ${program}`, error.code ?? error.message)),
      );
    });
    child.unref();
    return { pid: child.pid!, startTime: startTimeOf(child.pid!) ?? '' };
  } finally {
    closeSync(output);
  }
}

/** SIGTERM, and SIGKILL for one that has not ended two seconds later. Resolves when it is gone. */
export async function end(id: ProcessId): Promise<void> {
  for (const [signal, patience] of [
    ['SIGTERM', 2_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (!isAlive(id)) return;
    try {
      process.kill(id.pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    for (const started = Date.now(); isAlive(id) && Date.now() - started < patience;) await pause(20);
  }
}
