import { cpuSeconds, totalCpu } from '../load/cpu-seconds.js';
import type { Measured } from '../load/both-ends.js';

const NS = 1e-9;

/** CPU cores that the client of a transport kept busy while it was measured, over all rounds. */
export function clientCores(rounds: readonly Measured[]): number | null {
  const ns = rounds.reduce((sum, { client }) => sum + client.elapsedNs, 0);
  if (ns === 0) return null;
  return rounds.reduce((sum, { client }) => sum + totalCpu(cpuSeconds(client)), 0) / (ns * NS);
}
