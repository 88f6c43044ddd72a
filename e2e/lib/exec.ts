// Programs under `verbslab exec`, as a user starts them beside the agent of a test.
import { spawn, type ChildProcess } from 'node:child_process';
import { verbslab } from './agent.js';

interface ExecOptions {
  /** Of the agent. */
  home: string;
  /** The device's, so that tests beside each other do not meet. */
  address: string;
  /** Of `verbslab exec`. */
  options?: readonly string[];
  /** `pipe` lets `exec` record what the program prints; the pipe is read and forgotten. */
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

/** Its exit code, once it has ended; null if a signal ended it. */
export const exitOf = (child: ChildProcess): Promise<number | null> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve(child.exitCode)
    : new Promise((resolve) => child.once('exit', (code) => resolve(code)));
