import { spawnSync } from 'node:child_process';

/** A start and an end of a process take less on a machine with nothing else to do. */
const QUIET_MS = 10;
const SAMPLES = 5;

/**
 * How much slower this machine is now than one with nothing else to do, at least 1. A test of a promised time allows so
 * many times of it: other programs decide the rest.
 */
export function slowness(): number {
  const times = Array.from({ length: SAMPLES }, () => {
    const begun = performance.now();
    spawnSync('true');
    return performance.now() - begun;
  });
  return Math.max(1, Math.max(...times) / QUIET_MS);
}
