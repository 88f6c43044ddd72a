// A real agent for one test: `verbslab up` in a home of its own, on a free port, ended by its pid.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

export const verbslab = fileURLToPath(new URL('../../apps/agent/bin/verbslab.js', import.meta.url));

interface SessionCookie {
  name: string;
  value: string;
  /** Address for which the cookie counts. */
  url: string;
  httpOnly: true;
  sameSite: 'Strict';
}

export interface RunningAgent {
  /** Address of the dashboard, without path or code. */
  origin: string;
  /** A fresh address that signs one browser in, from `verbslab open`. */
  link(): Promise<string>;
  /** Address of the file that `verbslab open` opens in the browser. */
  redirect(): Promise<string>;
  /** Cookie that signs a browser in without a link, for `signIn` of page.ts. */
  session: SessionCookie;
  /** Folder of its runs. */
  home: string;
  process: ChildProcess;
  /** Ends the agent with SIGTERM and waits. The home stays. */
  stop(): Promise<void>;
  /** Ends the agent with SIGKILL and waits. The home stays. */
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

/** Signs in at an address with a code, as a browser does, and keeps the cookie. */
async function sessionAt(address: string): Promise<SessionCookie> {
  const response = await fetch(address, { redirect: 'manual' });
  const [cookie] = response.headers.getSetCookie();
  const [, name, value] = /^([^=]+)=([^;]+)/.exec(cookie ?? '') ?? [];
  if (name === undefined || value === undefined)
    throw new Error(`the agent refused to sign in: ${response.status} ${await response.text()}`);
  return { name, value, url: new URL(address).origin, httpOnly: true, sameSite: 'Strict' };
}

/** Output of a `verbslab` command with this home. */
async function command(home: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [verbslab, ...args], {
    env: { ...process.env, VERBSLAB_HOME: home, ...env },
  });
  return stdout;
}

/** Starts an agent and resolves when it has printed its address. Port 0 takes a free one. */
export async function startAgent(
  home: string,
  port = 0,
  env: Record<string, string> = {},
  flags: readonly string[] = [],
): Promise<RunningAgent> {
  const child = spawn(process.execPath, [verbslab, 'up', '--no-open', '--port', String(port), ...flags], {
    env: { ...process.env, VERBSLAB_HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const printed = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /http:\/\/\S+\?code=\S+/.exec(line);
      if (found) resolve(found[0]);
    });
    child.once('exit', (code) =>
      reject(new Error(`the agent ended with ${code} before it was up:\n${errors}`)),
    );
  });
  return {
    origin: new URL(printed).origin,
    session: await sessionAt(printed),
    link: async () => (await command(home, ['open', '--no-open'])).trim(),
    async redirect() {
      // The environment has a display, and no program that opens anything on it.
      await command(home, ['open'], { DISPLAY: ':0', PATH: '' });
      return pathToFileURL(join(home, 'open.html')).href;
    },
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
  /** Join string, for `verbslab peers add` and the Hosts page. */
  join: string;
  /** Ends the agent with SIGKILL and waits. The home stays. */
  kill(): Promise<void>;
}

/** Starts `verbslab agent` on an address, and resolves with its join string. */
export async function startPairable(
  home: string,
  address: string,
  env: Record<string, string> = {},
): Promise<PairableAgent> {
  const child = spawn(process.execPath, [verbslab, 'agent', '--listen', `${address}:0`, '--allow-remote'], {
    env: { ...process.env, VERBSLAB_HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', () => resolve());
    child.once('exit', (code) => reject(new Error(`the agent ended with ${code} before it was up`)));
  });
  const join = (await command(home, ['peers', 'invite'])).trim();
  return {
    join,
    async kill() {
      child.kill('SIGKILL');
      await ended(child);
    },
  };
}
