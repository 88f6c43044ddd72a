import { spawnSync } from 'node:child_process';

/** Longest start and end of a process on an idle machine, ms. */
const QUIET_MS = 10;
const SAMPLES = 5;

/**
 * Slowdown of this machine, compared with an idle one, at least 1. A test of a promised time multiplies it by this
 * factor: other programs decide the rest.
 */
export function slowness(): number {
  const times = Array.from({ length: SAMPLES }, () => {
    const begun = performance.now();
    spawnSync('true');
    return performance.now() - begun;
  });
  return Math.max(1, Math.max(...times) / QUIET_MS);
}
