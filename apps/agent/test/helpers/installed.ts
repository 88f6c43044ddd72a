/** The command `verbslab` with a home that ends with the test: in a process of its own, or in this one. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { verbslab as inProcess, type Printed } from './cli.js';
import { bin } from './exec.js';

/** Path of a capture in testdata. */
export const testdata = (name: string): string =>
  fileURLToPath(new URL(`../../../../testdata/${name}`, import.meta.url));

export interface Ended {
  code: number | null;
  signal: string | null;
  out: string;
  err: string;
}

/** An empty folder that ends with the test. */
export function home(): string {
  const path = mkdtempSync(join(tmpdir(), 'verbslab-cli-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Starts the installed command. */
export function start(args: string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, [bin, ...args], {
    env: { ...process.env, NO_COLOR: '1', VERBSLAB_HOME: env.VERBSLAB_HOME ?? home(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

export async function ended(child: ChildProcess): Promise<Ended> {
  let out = '';
  let err = '';
  child.stdout!.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr!.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { code, signal, out, err };
}

/** Runs the installed command to its end. */
export const spawned = (args: string[], env?: Record<string, string>): Promise<Ended> =>
  ended(start(args, env));

/** Runs a command in this process, which works for commands that end by themselves. */
export const verbslab = (args: string[]): Promise<Printed> => inProcess(home(), args);

/** Expects error output of two lines: a sentence that says what is wrong, and one that says what to do. */
export function expectSentence(err: string): void {
  const lines = err.trim().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^error: \S.*[.)]$/);
  expect(lines[1]).toMatch(/^ {2}\S.*[.?]$/);
}
