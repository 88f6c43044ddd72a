// A real agent for one test: `verbslab up` in a home of its own, on a free port, ended by its pid.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const verbslab = fileURLToPath(new URL('../../apps/agent/bin/verbslab.js', import.meta.url));

export interface RunningAgent {
  /** The address that `verbslab up` printed, with the token. */
  url: string;
  /** The same without path or token. */
  origin: string;
  token: string;
  /** Where it keeps its runs. */
  home: string;
  process: ChildProcess;
  /** Ends it with SIGTERM and waits. The home stays. */
  stop(): Promise<void>;
  /** Ends it with SIGKILL and waits. The home stays. */
  kill(): Promise<void>;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((resolve) => child.once('exit', resolve));
}

export function newHome(): string {
  return mkdtempSync(join(tmpdir(), 'verbslab-e2e-'));
}

export function removeHome(home: string): void {
  rmSync(home, { recursive: true, force: true });
}

/** Starts an agent and resolves when it has printed its address. Port 0 takes a free one. */
export async function startAgent(
  home: string,
  port = 0,
  env: Record<string, string> = {},
): Promise<RunningAgent> {
  const child = spawn(process.execPath, [verbslab, 'up', '--no-open', '--port', String(port)], {
    env: { ...process.env, VERBSLAB_HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /http:\/\/\S+\?token=\S+/.exec(line);
      if (found) resolve(found[0]);
    });
    child.once('exit', (code) =>
      reject(new Error(`the agent ended with ${code} before it was up:\n${errors}`)),
    );
  });
  const { origin, searchParams } = new URL(url);
  return {
    url,
    origin,
    token: searchParams.get('token') ?? '',
    home,
    process: child,
    async stop() {
      child.kill('SIGTERM');
      await ended(child);
    },
    async kill() {
      child.kill('SIGKILL');
      await ended(child);
    },
  };
}

export interface PairableAgent {
  /** What `verbslab peers add` and the Hosts page take. */
  join: string;
  /** Ends it with SIGKILL and waits. The home stays. */
  kill(): Promise<void>;
}

/** Starts `verbslab agent` on an address, and resolves when it has printed its join string. */
export async function startPairable(
  home: string,
  address: string,
  env: Record<string, string> = {},
): Promise<PairableAgent> {
  const child = spawn(process.execPath, [verbslab, 'agent', '--listen', `${address}:0`, '--allow-remote'], {
    env: { ...process.env, VERBSLAB_HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const join = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /^join: (\S+)$/.exec(line);
      if (found) resolve(found[1] as string);
    });
    child.once('exit', (code) => reject(new Error(`the agent ended with ${code} before it was up`)));
  });
  return {
    join,
    async kill() {
      child.kill('SIGKILL');
      await ended(child);
    },
  };
}
