// Programs under `verbslab exec`, as a user starts them beside the agent of a test.
import { spawn, type ChildProcess } from 'node:child_process';
import { verbslab } from './agent.js';

interface ExecOptions {
  /** Home of the agent. */
  home: string;
  /** Address of the device, so that parallel tests do not meet. */
  address: string;
  /** Options of `verbslab exec`. */
  options?: readonly string[];
  /** `pipe` lets `exec` record the program's output. The test drops what it reads from the pipe. */
  stdout?: 'ignore' | 'pipe';
}

export function execProgram(
  command: readonly string[],
  { home, address, options = [], stdout = 'ignore' }: ExecOptions,
): ChildProcess {
  const child = spawn(process.execPath, [verbslab, 'exec', ...options, '--', ...command], {
    env: { ...process.env, VERBSLAB_HOME: home, UROCE_ADDR: address },
    stdio: ['ignore', stdout, 'ignore'],
  });
  child.stdout?.resume();
  return child;
}

/** Waits for the end of the process. Returns its exit code; null if a signal ended it. */
export const exitOf = (child: ChildProcess): Promise<number | null> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve(child.exitCode)
    : new Promise((resolve) => child.once('exit', (code) => resolve(code)));
