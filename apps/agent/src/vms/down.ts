import { rmSync } from 'node:fs';
import { cacheFolder, type VmsFolder } from './paths.js';
import { end, isAlive } from './process.js';
import { readState, removeState } from './state.js';

/** Ends all machines and removes every file of theirs. Returns the names of those that were still running. */
export async function down(folder: VmsFolder, options: { cache: boolean }): Promise<string[]> {
  const state = readState(folder);
  const running = (state?.vms ?? []).filter(isAlive);
  await Promise.all(running.map(end));
  removeState(folder);
  if (options.cache) rmSync(cacheFolder(), { recursive: true, force: true });
  return running.map(({ name }) => name);
}
