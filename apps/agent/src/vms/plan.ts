import type { MachinesPlan } from '@verbslab/protocol';
import { knownAccel } from './accel.js';
import { DOWNLOAD_MB, foreseeKernel } from './kernel.js';
import { DEFAULT_MEMORY } from './machine.js';
import { availableMemory, DEFAULT_COUNT, DEFAULT_TIMEOUT_S, defaultCpus, TOUCHED } from './up.js';

/** Plan of a start without options on this host. Nothing is changed. */
export function plan(): MachinesPlan {
  const kernel = foreseeKernel();
  return {
    count: DEFAULT_COUNT,
    cpus: defaultCpus(DEFAULT_COUNT),
    memory: DEFAULT_MEMORY,
    touched: TOUCHED,
    available: availableMemory(),
    kernel: kernel.from,
    download: DOWNLOAD_MB,
    accel: knownAccel(kernel.version),
    limit: DEFAULT_TIMEOUT_S,
  };
}
