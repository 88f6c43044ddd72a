/** Programs of our own, in C against the distribution's headers: what the packaged ones do not do. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { start } from './run.js';

const folder = mkdtempSync(join(tmpdir(), 'verbs-programs-'));
chmodSync(folder, 0o755);
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function compile(name: string): string {
  const binary = join(folder, name);
  const source = join(import.meta.dirname, 'programs', `${name}.c`);
  const { status, stderr } = spawnSync('cc', ['-O1', '-Wall', '-Werror', '-o', binary, source, '-libverbs'], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`cc failed: ${stderr}`);
  return binary;
}

const able = spawnSync('cc', ['-E', '-include', 'infiniband/verbs.h', '-x', 'c', '/dev/null']).status === 0;

describe.skipIf(!able)('small C programs', () => {
  it('calls with windows, invalidation, a shared queue and events', { timeout: 60_000 }, async () => {
    const { code, output } = await start(compile('rpc'), [], { ordinaryUser: true, timeoutMs: 50_000 })
      .finished;
    expect(code, output).toBe(0);
    expect(output).toBe('1200 calls of 3 clients answered\n');
  });

  it('fork under registered memory', { timeout: 60_000 }, async () => {
    const { code, output } = await start(compile('fork'), [], { ordinaryUser: true, timeoutMs: 50_000 })
      .finished;
    expect(code, output).toBe(0);
    expect(output).toBe('parent and child were served\n');
  });
});
