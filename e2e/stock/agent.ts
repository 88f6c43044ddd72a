/** An agent with a home of its own, for the tests of a suite. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';
import { cli } from './run.js';

export interface SuiteAgent {
  home: string;
  /** Prints of `verbslab runs …` with this agent. */
  runs: (...args: string[]) => Promise<string>;
}

/** Starts the agent before the tests of the suite that calls this, and ends it after them. */
export function suiteAgent(): SuiteAgent {
  const home = mkdtempSync(join(tmpdir(), 'verbs-home-'));
  const env = { ...process.env, VERBSLAB_HOME: home, NO_COLOR: '1' };
  let agent: ChildProcess;
  beforeAll(async () => {
    agent = spawn(process.execPath, [cli, 'agent', '--port', '0', '--log-level', 'warn'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    // The agent prints its address when it listens.
    await once(agent.stdout!, 'data');
  });
  afterAll(async () => {
    const ended = once(agent, 'exit');
    agent.kill('SIGTERM');
    await ended;
    rmSync(home, { recursive: true, force: true });
  });
  return {
    home,
    runs: async (...args) =>
      (await promisify(execFile)(process.execPath, [cli, 'runs', ...args], { env })).stdout,
  };
}
