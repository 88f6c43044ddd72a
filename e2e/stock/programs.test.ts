/** Programs of our own, in C: what the packaged ones do not do. */
import { afterAll, describe, expect, it } from 'vitest';
import { able, Programs } from './compile.js';
import { start } from './run.js';

const programs = new Programs();
afterAll(() => {
  programs.remove();
});

describe.skipIf(!able)('small C programs', () => {
  it('calls with windows, invalidation, a shared queue and events', { timeout: 60_000 }, async () => {
    const { code, output } = await start(programs.compile('rpc'), [], {
      ordinaryUser: true,
      timeoutMs: 50_000,
    }).finished;
    expect(code, output).toBe(0);
    expect(output).toBe('1200 calls of 3 clients answered\n');
  });

  it('fork under registered memory', { timeout: 60_000 }, async () => {
    const { code, output } = await start(programs.compile('fork'), [], {
      ordinaryUser: true,
      timeoutMs: 50_000,
    }).finished;
    expect(code, output).toBe(0);
    expect(output).toBe('parent and child were served\n');
  });
});
