// What the kernel charges to the processes of a run, read from /proc during the run.
import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';

const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
/** The kernel counts user and system time in ticks, each cut off. */
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
    // The name of the program, in parentheses, may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/** Looks at processes until each is gone. */
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

  /** Seconds charged to a process between two moments: at least, and at most, as the readings around the moments show. */
  between(from: number, to: number, pid: number): { least: number; most: number } {
    const looks = this.#looks.get(pid)!;
    // Before the first look it had been charged nothing or more; it ends only after the last one.
    const before = (at: number) => looks.findLast((look) => look.at <= at)?.seconds ?? 0;
    const after = (at: number) => (looks.find((look) => look.at >= at) ?? looks.at(-1)!).seconds;
    // User and system time, at either moment.
    const ticks = 2 * TICK_SECONDS;
    return {
      least: before(to) - after(from) - ticks,
      most: after(to) - before(from) + ticks,
    };
  }
}
