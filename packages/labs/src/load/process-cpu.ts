/** CPU time of an endpoint’s process over some work, less what asking for it costs. */
import type { EndpointHandle } from '@verbslab/protocol';

export interface ProcessCpu {
  /** All but NIC work. */
  appNs: number;
  /** Null where the device does not report it. */
  nicNs: number | null;
}

export async function processCpu(endpoint: EndpointHandle): Promise<ProcessCpu> {
  const { processUserNs, processSystemNs, nicUserNs, nicKernelNs } = await endpoint.call('cpu', {});
  const nicNs = nicUserNs === null || nicKernelNs === null ? null : nicUserNs + nicKernelNs;
  return { appNs: processUserNs + processSystemNs - (nicNs ?? 0), nicNs };
}

/** CPU time between the last two samples, less that between the first two, in which nothing was done. */
export function spent([idle, before, after]: readonly [ProcessCpu, ProcessCpu, ProcessCpu]): ProcessCpu {
  const of = (a: number, b: number, c: number): number => Math.max(0, c - b - (b - a));
  return {
    appNs: of(idle.appNs, before.appNs, after.appNs),
    nicNs:
      idle.nicNs === null || before.nicNs === null || after.nicNs === null
        ? null
        : of(idle.nicNs, before.nicNs, after.nicNs),
  };
}

/** The result of the work, and the CPU time of this endpoint meanwhile. */
export async function withCpu<T>(
  endpoint: EndpointHandle,
  work: () => Promise<T>,
): Promise<{ found: T; cpu: ProcessCpu }> {
  const idle = await processCpu(endpoint);
  const before = await processCpu(endpoint);
  const found = await work();
  const after = await processCpu(endpoint);
  return { found, cpu: spent([idle, before, after]) };
}

/** Per piece of work. */
export const cpuPer = ({ appNs, nicNs }: ProcessCpu, pieces: number): ProcessCpu => ({
  appNs: appNs / pieces,
  nicNs: nicNs === null ? null : nicNs / pieces,
});
