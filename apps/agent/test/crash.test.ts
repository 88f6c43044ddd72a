import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import type { RunEventOf } from '@verbslab/protocol';
import { readCapture } from '@verbslab/roce';
import { describe, expect, it, onTestFinished } from 'vitest';
import { addressOf } from '../src/client/find.js';
import { homeAt } from '../src/config/home.js';
import { findRunning, readState, takeLock } from '../src/config/instance.js';
import { FLUSH_MS } from '../src/store/stream.js';
import { newHome, Recorder, testAgent } from './helpers/agent.js';
import { helperProgram } from './helpers/programs.js';

const program = helperProgram('crash-agent');

async function startChild(
  home: string,
  env: Record<string, string> = {},
  stderr: 'inherit' | 'pipe' = 'inherit',
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, VERBSLAB_HOME: home, ...env },
    stdio: ['ignore', 'pipe', stderr],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(createInterface({ input: child.stdout! }), 'line');
  return child;
}

describe('an agent that is killed', () => {
  it('leaves its run interrupted, with everything up to the last flush', async () => {
    const home = newHome();
    const child = await startChild(home);
    const at = homeAt(home);
    const recorder = await Recorder.connect({ address: addressOf(readState(at)!, at) });
    const runId = await recorder.start('endless');
    await recorder.until(() => recorder.events.length > 400);
    const killedAt = recorder.events.at(-1)!;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;

    const { agent } = await testAgent({ home });
    const next = await Recorder.connect(agent);
    const { run } = await next.client.request('run.get', { runId });
    expect(run).toMatchObject({ state: 'interrupted', error: { code: 'INTERRUPTED' } });
    expect(run.endedAt).not.toBeNull();
    await next.client.request('run.subscribe', { runId, fromSeq: 1 });
    await next.untilMessage('run.complete');
    expect(next.events.map(({ seq }) => seq)).toEqual(next.events.map((_, index) => index + 1));
    expect(next.events.slice(0, -1)).toEqual(recorder.events.slice(0, next.events.length - 1));
    expect(next.events.at(-1)).toMatchObject({ kind: 'run.state', state: 'interrupted' });
    // The missing events are later than the last flush, at most one interval before the kill. The timer of a flush may
    // be as late as others.
    const lastKept = next.events.at(-2) as RunEventOf<'note'>;
    const gaps = recorder.events.slice(1).map(({ t }, i) => t - recorder.events[i]!.t);
    expect(killedAt.t - lastKept.t).toBeLessThan((FLUSH_MS + 300) * 1e6 + 3 * Math.max(...gaps));
    await next.start('quick');
  });

  it('leaves a capture that the next one shows, counts and deletes', async () => {
    const first = newHome();
    const child = await startChild(first, { VERBSLAB_TEST_PACKETS: '3' });
    const recorder = await Recorder.connect({ address: addressOf(readState(homeAt(first))!, homeAt(first)) });
    const runId = await recorder.start('waiting');
    // After so many frames, the run has been in its one long state for a while.
    await recorder.until(() => recorder.frames.length > 50);
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
    // Nothing in the history names the folder: it may have been moved.
    const home = join(newHome(), 'moved');
    renameSync(first, home);
    mkdirSync(first);
    const database = new Database(homeAt(home).database, { readonly: true });
    const rows = JSON.stringify(database.prepare('select * from runs').all());
    database.close();
    expect(rows).not.toContain(first);

    const stray = join(homeAt(home).captures, '0123456789.pcapng');
    const foreign = join(homeAt(home).captures, 'notes.txt');
    writeFileSync(stray, 'of a run that is gone');
    writeFileSync(foreign, 'not ours to remove');
    const { agent } = await testAgent({ home });
    expect([existsSync(stray), existsSync(foreign)]).toEqual([false, true]);
    const next = await Recorder.connect(agent);
    const { run } = await next.client.request('run.get', { runId });
    const file = join(homeAt(home).captures, `${runId}.pcapng`);
    const packets = readCapture(new Uint8Array(readFileSync(file))).records.length;
    expect(packets).toBeGreaterThan(100);
    expect(run).toMatchObject({
      state: 'interrupted',
      capture: { packets, bytes: 60 * packets, dropped: 0 },
    });
    const answer = await fetch(`${agent.url}/api/runs/${runId}/capture.pcapng`, {
      headers: { authorization: `Bearer ${agent.token}` },
    });
    expect(Buffer.from(await answer.arrayBuffer()).equals(readFileSync(file))).toBe(true);
    await next.client.request('run.delete', { runId });
    expect(existsSync(file)).toBe(false);
  });

  it('leaves a database that is whole and a lock that is free', async () => {
    const home = newHome();
    const first = await startChild(home);
    expect(await findRunning(homeAt(home))).toMatchObject({ pid: first.pid });
    expect(takeLock(homeAt(home))).toBeNull();
    await expect(testAgent({ home })).rejects.toMatchObject({ code: 'AGENT_RUNNING' });
    const exit = once(first, 'exit');
    first.kill('SIGKILL');
    await exit;
    expect(await findRunning(homeAt(home))).toBeNull();
    await testAgent({ home });
    const database = new Database(homeAt(home).database, { readonly: true });
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
    database.close();
  });
});

describe('a lab that leaves a rejected promise behind', () => {
  it('does not end the agent, which logs the promise with its stack', async () => {
    const home = newHome();
    const child = await startChild(home, { LOG_LEVEL: 'error' }, 'pipe');
    const logged = once(createInterface({ input: child.stderr! }), 'line');
    const at = homeAt(home);
    const recorder = await Recorder.connect({ address: addressOf(readState(at)!, at) });
    const runId = await recorder.start('careless');
    await recorder.untilMessage('run.complete');
    const { run } = await recorder.client.request('run.get', { runId });
    expect(run.state).toBe('done');
    const [line] = (await logged) as [string];
    expect(line).toContain('left behind');
    expect(line).toMatch(/at Object\.run .*at Run\.execute/);
  });
});
