/** System calls of this process, counted from outside by `vlcalls`. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { AppError, type CallCount } from '@verbslab/protocol';
import { allowTracer } from '@verbslab/verbs';
import { vlcallsPath } from '@verbslab/native';
import { partOf } from './thread-parts.js';

export const NO_PTRACE =
  'A container needs the capability SYS_PTRACE for it, and the kernel a ptrace_scope of 0 or 1 (sysctl kernel.yama.ptrace_scope).';

export class CallCounter {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #ended: Promise<void>;
  #lines = '';
  #said = '';

  private constructor(program: string) {
    this.#child = spawn(program, [String(process.pid)], { stdio: ['pipe', 'pipe', 'pipe'] });
    const { stdin, stderr, stdout } = this.#child;
    // `close` reports its end.
    stdin.on('error', () => undefined);
    stdout.setEncoding('utf8').on('data', (text: string) => (this.#lines += text));
    stderr.setEncoding('utf8').on('data', (text: string) => (this.#said += text));
    this.#ended = new Promise((resolve) => {
      this.#child.once('error', (error) => {
        this.#said ||= error.message;
        resolve();
      });
      this.#child.once('close', () => resolve());
    });
  }

  /** The counter, or why there is none. */
  static async start(program = vlcallsPath): Promise<CallCounter | string> {
    const counter = new CallCounter(program);
    const { pid, stdin, stdout } = counter.#child;
    if (pid !== undefined) allowTracer(pid);
    stdin.write('\n');
    const begun = new Promise<void>((resolve) => stdout.once('data', () => resolve()));
    await Promise.race([begun, counter.#ended]);
    if (counter.#lines.startsWith('counting\n')) return counter;
    return counter.#said.trim() || 'vlcalls ended without a message';
  }

  /** Ends the counting. Throws AppError INTERNAL if it had ended before. */
  async stop(): Promise<CallCount[]> {
    this.#child.stdin.end('\n');
    await this.#ended;
    if (this.#child.exitCode !== 0)
      throw new AppError('INTERNAL', { detail: `vlcalls ended early: ${this.#said.trim()}` });
    return sumOf(this.#lines.split('\n').slice(1).flatMap(readLine));
  }
}

function readLine(line: string): CallCount[] {
  const [thread, call, count, empty] = line.split('\t');
  if (thread === undefined || call === undefined) return [];
  return [{ part: partOf(thread), call, count: Number(count), empty: Number(empty) }];
}

/** Threads of one part together. */
function sumOf(lines: readonly CallCount[]): CallCount[] {
  const sums = new Map<string, CallCount>();
  for (const line of lines) {
    const key = `${line.part} ${line.call}`;
    const sum = sums.get(key);
    sums.set(key, sum ? { ...sum, count: sum.count + line.count, empty: sum.empty + line.empty } : line);
  }
  return [...sums.values()];
}
