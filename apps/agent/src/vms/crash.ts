import { setTimeout as pause } from 'node:timers/promises';
import { lastWords } from './boot.js';
import type { VmsFolder } from './paths.js';
import { isAlive } from './process.js';
import { vmAt } from './state.js';

/** A machine of this host with a QEMU that ended unexpectedly. */
export interface Crash {
  name: string;
  /** The end of its console. */
  lastWords: string;
}

const POLL_MS = 20;

/**
 * Returns the crash of the machine with the agent at this address; null if no machine of this host has it, or its QEMU
 * runs. A connection breaks some time before the process has ended, so this waits up to `patience` (ms) for the end.
 * Rejects with VMS_STATE.
 */
export async function crashAt(
  folder: VmsFolder,
  address: { host: string; port: number },
  patience = 0,
): Promise<Crash | null> {
  for (const started = Date.now(); ; await pause(POLL_MS)) {
    // Read each time: `vms up` may be starting it again.
    const vm = vmAt(folder, address);
    if (!vm) return null;
    if (!isAlive(vm)) return { name: vm.name, lastWords: lastWords(folder, vm.name) };
    if (Date.now() - started >= patience) return null;
  }
}
