/** Costs per GB, from the measurements of loops and counters. Pure functions. */
import { cpuPerGBTotal, type CpuPerGB, type EndpointResult } from '@verbslab/protocol';
import { addCpu, cpuSeconds, outsideSeconds, perGB } from '../load/cpu-seconds.js';
import type { Measured } from '../load/both-ends.js';

/** A transfer with the readings around it. */
export interface Round extends Measured {
  /** Context switches of the device’s threads at both ends. */
  deviceSwitches: number;
  /** Joules of the processors of both machines, each machine once; null where they cannot be read. */
  joules: number | null;
}

export const GB = 1e9;

/** CPU seconds of both ends. TCP does no NIC work outside of the kernel. */
export function cpuOf({ client, server }: Measured, tcp: boolean): CpuPerGB | null {
  const cpu = addCpu(cpuSeconds(client), cpuSeconds(server));
  return perGB(tcp ? { ...cpu, nic: 0 } : cpu, client.bytes, outsideSeconds([client, server]));
}

export const totalOf = (round: Measured, tcp: boolean): number => {
  const cpu = cpuOf(round, tcp);
  return cpu ? cpuPerGBTotal(cpu) : NaN;
};

/** Context switches of the loops’ threads and the devices’, per GB. */
export function switchesPerGB({ client, server, deviceSwitches }: Round): number {
  const own = [client, server].reduce(
    (sum, { cpu: { switches } }) => sum + (switches ? switches.voluntary + switches.involuntary : NaN),
    0,
  );
  return (own + deviceSwitches) / (client.bytes / GB);
}

type Energy = EndpointResult<'energy'>;

/** Joules between two looks at both ends; null where an end has no counter. */
export function joulesBetween(before: readonly Energy[], after: readonly Energy[]): number | null {
  const machines = new Map<string, number>();
  for (const [i, from] of before.entries()) {
    const to = after[i];
    if (!to || from.packages.length === 0 || from.packages.length !== to.packages.length) return null;
    const microjoules = from.packages.reduce((sum, { microjoules: old, range }, at) => {
      const now = to.packages[at]!.microjoules;
      return sum + (now >= old ? now - old : now + range - old);
    }, 0);
    machines.set(from.machine, microjoules);
  }
  return [...machines.values()].reduce((sum, one) => sum + one, 0) / 1e6;
}
