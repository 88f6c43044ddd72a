/**
 * Hooks for test files that share a process: each leaves the environment, the clock and the streams as it found them.
 */
import { afterAll, vi } from 'vitest';

const found = { ...process.env };

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  for (const name of Object.keys(process.env))
    if (!(name in found)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, found);
});
