// CPU time that the kernel charges to the processes of a run, read from /proc during the run.
import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';

const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
/** Unit of the kernel's user and system times, which are truncated, s. */
export const TICK_SECONDS = 1 / TICKS;
const EVERY_MS = 20;

interface Look {
  /** Milliseconds since 1970. */
  at: number;
  seconds: number;
}

/** User and system seconds of a process; null when it is gone. */
function charged(pid: number): number | null {
  try {
    // The program's name, in parentheses, may hold any characters.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/** Reads the CPU times of processes until each is gone. */
export class ProcWatch {
  readonly #looks = new Map<number, Look[]>();
  readonly #timer: NodeJS.Timeout;

  constructor(pids: readonly number[]) {
    for (const pid of pids) this.#looks.set(pid, []);
    this.#timer = setInterval(() => this.#look(), EVERY_MS);
    this.#look();
  }

  #look(): void {
    for (const [pid, looks] of this.#looks) {
      const seconds = charged(pid);
      if (seconds !== null) looks.push({ at: Date.now(), seconds });
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Seconds charged to a process between two moments: bounds from the readings around the moments. */
  between(from: number, to: number, pid: number): { least: number; most: number } {
    const looks = this.#looks.get(pid)!;
    // The process had been charged at least nothing before the first look. It ends only after the last look.
    const before = (at: number) => looks.findLast((look) => look.at <= at)?.seconds ?? 0;
    const after = (at: number) => (looks.find((look) => look.at >= at) ?? looks.at(-1)!).seconds;
    // Both user and system time are truncated, at either moment.
    const ticks = 2 * TICK_SECONDS;
    return {
      least: before(to) - after(from) - ticks,
      most: after(to) - before(from) + ticks,
    };
  }
}
