/**
 * CPU time of the loops at both ends: its parts, its cost per GB, and a check against the time that the kernel charged.
 */
import type { Check, CpuPerGB, EndpointLoopResult } from '@verbslab/protocol';
import { formatNumber } from '../base/format.js';
import type { Measured } from './both-ends.js';

export const ROLES = ['client', 'server'] as const;

/** CPU seconds that were charged to one side or to both, each part. `nic` is null if no device separates it. */
export interface CpuSeconds {
  app: number;
  nic: number | null;
  kernel: number;
}

const NS = 1e-9;

export function cpuSeconds({ cpu }: EndpointLoopResult): CpuSeconds {
  return { app: cpu.appNs * NS, nic: cpu.nicNs === null ? null : cpu.nicNs * NS, kernel: cpu.kernelNs * NS };
}

export function addCpu(a: CpuSeconds, b: CpuSeconds): CpuSeconds {
  return {
    app: a.app + b.app,
    nic: a.nic === null && b.nic === null ? null : (a.nic ?? 0) + (b.nic ?? 0),
    kernel: a.kernel + b.kernel,
  };
}

export const totalCpu = ({ app, nic, kernel }: CpuSeconds): number => app + (nic ?? 0) + kernel;

/**
 * Seconds that the kernels of both ends' machines spent outside of every process, each machine once; null where no end
 * measured it. Both ends of one machine saw the same: the longer look counts.
 */
export function outsideSeconds(loops: readonly EndpointLoopResult[]): number | null {
  const machines = new Map<string, number>();
  for (const { cpu } of loops)
    if (cpu.outside)
      machines.set(cpu.outside.machine, Math.max(machines.get(cpu.outside.machine) ?? 0, cpu.outside.ns));
  if (machines.size === 0) return null;
  return [...machines.values()].reduce((sum, ns) => sum + ns, 0) * NS;
}

/** CPU seconds per 10^9 bytes; null when nothing was moved. */
export function perGB(cpu: CpuSeconds, bytes: number, outside: number | null = null): CpuPerGB | null {
  if (bytes <= 0) return null;
  const gb = bytes / 1e9;
  return {
    app: cpu.app / gb,
    nic: cpu.nic === null ? null : cpu.nic / gb,
    kernel: cpu.kernel / gb,
    ...(outside === null ? {} : { outside: outside / gb }),
  };
}

/** Reason why a check failed: an older agent `lacked` figures, such as “did not count requests”. */
export const olderAgent = (lacked: string): string =>
  `An older agent ran the endpoint and ${lacked}. Update that agent.`;

/** The kernel brings the time of a thread that runs up to date by its tick, at either end of what a loop measures. */
const CPU_SLACK = 0.02;
const CPU_SLACK_SECONDS = 0.01;

/**
 * Checks the split of a loop against the time that the kernel charged to its process meanwhile. Loops that ran at once
 * in one process (`together`) are added up.
 */
export function cpuAddsUp(rounds: readonly (readonly Measured[])[], together = false): Check {
  const loops = rounds.flatMap((each) => each.flatMap(({ client, server }) => [client, server]));
  const parts = loops.map(cpuSeconds);
  const split = parts.reduce((sum, cpu) => sum + totalCpu(cpu), 0);
  const negative = parts.some(({ app, nic, kernel }) => app < 0 || (nic ?? 0) < 0 || kernel < 0);
  if (loops.some(({ cpu }) => cpu.processNs === undefined))
    return { id: 'cpu', ok: false, detail: olderAgent('did not report the CPU time of its process') };
  const charged = processSeconds(rounds, together);
  const ok = !negative && split > 0 && split <= charged * (1 + CPU_SLACK) + CPU_SLACK_SECONDS * loops.length;
  return {
    id: 'cpu',
    ok,
    detail:
      `Application, NIC work and kernel took ${formatNumber(split)} s. Over the same time the kernel charged ${formatNumber(charged)} s to both ` +
      'endpoints, the measuring itself included. The parts may exceed that by 2 % and 10 ms for each loop at most.',
  };
}

/** Seconds that the kernel charged to the processes of both ends while they were measured. */
function processSeconds(rounds: readonly (readonly Measured[])[], together: boolean): number {
  const alone = rounds.flatMap((each) => each.flatMap((one) => ROLES.map((role) => [one[role]])));
  const atOnce = (rounds[0] ?? []).flatMap((_, round) =>
    ROLES.map((role) => rounds.flatMap((each) => each[round]?.[role] ?? [])),
  );
  return (together ? atOnce : alone).reduce((sum, loops) => sum + chargedOver(loops), 0) * 1e-9;
}

/**
 * CPU time that the kernel charged to a process from the start of the first of its loops to the end of the last, ns.
 */
function chargedOver(loops: readonly EndpointLoopResult[]): number {
  const ends = loops.map(({ cpu: { processNs = 0, processAtNs } }) => ({
    ns: processNs,
    at: processAtNs ?? processNs,
  }));
  return Math.max(...ends.map(({ at }) => at)) - Math.min(...ends.map(({ ns, at }) => at - ns));
}
