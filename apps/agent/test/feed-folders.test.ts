import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sweepFeedFolders } from '../src/program/feed-folders.js';

/** A process that listens in the folder, as `verbslab exec` does. */
async function listener(folder: string): Promise<{ kill(): Promise<void> }> {
  mkdirSync(folder);
  const code = `require('net').createServer(() => {}).listen(${JSON.stringify(join(folder, 'alive'))}, () => console.log('up'))`;
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return {
    async kill() {
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
}

describe('folders of `verbslab exec`', () => {
  it('of a killed command are removed; those of a running or starting command stay', async () => {
    const within = mkdtempSync(join(tmpdir(), 'verbslab-sweep-'));
    onTestFinished(() => rmSync(within, { recursive: true, force: true }));
    const folder = (name: string): string => join(within, name);
    const dead = await listener(folder('verbslab-exec-dead'));
    await listener(folder('verbslab-exec-live'));
    await dead.kill();
    mkdirSync(folder('verbslab-exec-new'));
    mkdirSync(folder('verbslab-exec-old'));
    utimesSync(folder('verbslab-exec-old'), 0, 0);
    mkdirSync(folder('another'));
    utimesSync(folder('another'), 0, 0);
    writeFileSync(folder('verbslab-exec-file'), '');
    await sweepFeedFolders(within);
    const kept = ['dead', 'live', 'new', 'old', 'file'].filter((name) =>
      existsSync(folder(`verbslab-exec-${name}`)),
    );
    expect(kept).toEqual(['live', 'new', 'file']);
    expect(existsSync(folder('another'))).toBe(true);
  });
});
