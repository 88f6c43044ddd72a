import { spawn, type ChildProcess } from 'node:child_process';
import { agentFolder } from '../config/agent-folder.js';
import { embeddedNetns, nodeIn } from '../devices/netns.js';
import { join } from 'node:path';

const KEPT_CHARS = 2_000;

export interface ToolEnd {
  code: number | null;
  signal: string | null;
}

export interface ToolProcessOptions {
  /** Data folder of the agent that the command reports to. */
  home: string;
  runId: string;
  link: string;
  command: readonly string[];
  /** File with the launcher that starts the command, for `exec --confine`. */
  confine?: string;
}

/** A command of a tool under `verbslab exec`, as part of a run of this agent. */
export class ToolProcess {
  readonly ended: Promise<ToolEnd>;
  readonly #child: ChildProcess;
  #end: ToolEnd | null = null;
  #said = '';

  constructor({ home, runId, link, command, confine }: ToolProcessOptions) {
    const confined = confine === undefined ? [] : ['--confine', confine];
    const exec = ['exec', '--bound', '--with', runId, '--link', link, ...confined, '--', ...command];
    const [node, args] = nodeIn(embeddedNetns(), [join(agentFolder, 'bin/verbslab.js'), ...exec]);
    const child = spawn(node, args, {
      env: { ...process.env, VERBSLAB_HOME: home, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    // The run records the output; a full pipe would stop the program.
    child.stdout?.resume();
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#said = `${this.#said}${text}`.slice(-KEPT_CHARS);
    });
    this.ended = new Promise((resolve) => {
      const end = (code: number | null, signal: string | null): void => {
        this.#end ??= { code, signal };
        resolve(this.#end);
      };
      child.once('error', (error) => {
        this.#said = error.message;
        end(null, null);
      });
      child.once('close', end);
    });
  }

  /** Null while the command runs. */
  get end(): ToolEnd | null {
    return this.#end;
  }

  /** True if the command ended without exit code 0. */
  get failed(): boolean {
    return this.#end !== null && this.#end.code !== 0;
  }

  /** End of the stderr output of the command and its program. */
  get said(): string {
    return this.#said.trim();
  }

  get pid(): number | 'self' {
    return this.#child.pid ?? 'self';
  }

  /** Sends SIGTERM, which `exec` passes on to the program. */
  terminate(): void {
    this.#child.kill('SIGTERM');
  }
}
