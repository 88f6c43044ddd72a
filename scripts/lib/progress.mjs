// Progress of a build by Ninja: files done, all files, and the time left, read from its output.
import { status, step } from './say.mjs';

const BETWEEN_LINES = 10_000; // ms, where a line cannot be replaced
const ENOUGH_FILES = 3; // for an estimate
const NINJA_STEP = /^(?:\S+: )?\[(\d+)\/(\d+)\] /;

/** Reads Ninja's count at the beginning of a line (`[3/71] Building …`), also behind the name of a task of turbo. */
export function ninjaStep(line) {
  const [, files, total] = NINJA_STEP.exec(line) ?? [];
  return total && { files: Number(files), total: Number(total) };
}

/** A duration in words, with as many digits as an estimate deserves. */
export function inWords(ms) {
  const seconds = Math.max(5, Math.ceil(ms / 5000) * 5);
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/**
 * Reads the output of a build, in pieces of any size, and shows its progress: in place on a terminal, elsewhere
 * in a line every ten seconds.
 */
export class BuildProgress {
  constructor(what, { terminal = process.stderr.isTTY, now = Date.now, show = status, print = step } = {}) {
    Object.assign(this, { what, terminal, now, show, print });
    this.rest = '';
    this.printed = now();
  }

  read(text) {
    const lines = (this.rest + text).split(/\r?\n/);
    this.rest = lines.pop();
    const last = lines.map(ninjaStep).findLast(Boolean);
    if (last) this.#tell(last);
  }

  end() {
    if (this.terminal) this.show('');
  }

  #tell({ files, total }) {
    const now = this.now();
    // A second build in the same output begins from the start again.
    if (!this.first || total !== this.first.total || files < this.first.files)
      this.first = { files, total, time: now };
    const since = files - this.first.files;
    const left = since < ENOUGH_FILES ? NaN : ((now - this.first.time) / since) * (total - files);
    const text = `${this.what}: ${files} of ${total} files${left > 0 ? `, about ${inWords(left)} left` : ''}`;
    if (this.terminal) return this.show(text);
    if (now - this.printed < BETWEEN_LINES) return;
    this.printed = now;
    this.print(text);
  }
}

/** Runs a build that hands its output to `watch`, and shows its progress meanwhile. */
export async function withProgress(what, build) {
  const progress = new BuildProgress(what);
  try {
    return await build((text) => progress.read(text));
  } finally {
    progress.end();
  }
}

const TASK = /^(\S+:\w+): /;

/** The output of turbo about the tasks that failed, without the output of the others. */
export function ofFailedTasks(output) {
  const lines = output.split('\n');
  const task = (line) => TASK.exec(line)?.[1];
  const failed = new Set(lines.filter((line) => line.includes(': ERROR: ')).map(task));
  return lines.filter((line) => !task(line) || failed.has(task(line))).join('\n');
}
