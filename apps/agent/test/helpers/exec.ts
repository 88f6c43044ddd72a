import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** The command as it is installed. */
export const bin = fileURLToPath(new URL('../../bin/verbslab.js', import.meta.url));
const ADDRESS = '127.0.0.40';
export const installed = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

/** What was printed on stderr, without the first line, which has the address of the run's page. */
export const withoutPage = (err: string): string =>
  err.replace(/^verbslab: Run \d+: http\S+\/runs\/view\?id=\w+\n/, '');

export interface Command {
  child: ChildProcess;
  ended: Promise<{ code: number | null; signal: string | null; out: string; err: string }>;
}

/**
 * Starts a program under `verbslab exec`, with the agent of this home. The program ends with the test.
 *
 * @param address of the device; null: its default, with all addresses of loopback
 */
export function exec(
  home: string,
  command: string[],
  options: string[] = [],
  address: string | null = ADDRESS,
): Command {
  const child = spawn(process.execPath, [bin, 'exec', ...options, '--', ...command], {
    env: { ...process.env, NO_COLOR: '1', VERBSLAB_HOME: home, UROCE_ADDR: address ?? undefined },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as string | null,
    out,
    err: withoutPage(err),
  }));
  onTestFinished(async () => {
    // Told to end, it ends its program too; a killed one leaves it behind.
    child.kill('SIGTERM');
    const late = setTimeout(() => void child.kill('SIGKILL'), 60_000);
    await ended;
    clearTimeout(late);
  });
  return { child, ended };
}

/** Resolves when a process listens on the TCP port: the programs' own exchange. */
export async function untilListening(port: string): Promise<void> {
  const wanted = `:${Number(port).toString(16).toUpperCase().padStart(4, '0')} `;
  const listens = (line: string): boolean => line.slice(0, 46).includes(wanted) && line.includes(' 0A ');
  while (!['/proc/net/tcp', '/proc/net/tcp6'].some((f) => readFileSync(f, 'utf8').split('\n').some(listens)))
    await new Promise((resume) => setTimeout(resume, 5));
}

let port = 23_000 + (process.pid % 2000);
export const nextPort = (): string => String(++port);
